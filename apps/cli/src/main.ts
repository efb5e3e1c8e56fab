import { readEnvironment } from './config/env.js';
import { EXIT, Interruption } from './errors.js';
import { endOnLostOutput } from './lost-output.js';
import { run } from './program.js';

/** Milliseconds in which an interrupted command may clean up, for example delete a part of a file. */
const CLEAN_UP_MS = 1_000;

const stop = new AbortController();
const stopOn = (name: NodeJS.Signals, code: number): void =>
  // A second Ctrl-C finds no listener, so it ends the process at once.
  void process.once(name, () => {
    stop.abort(new Interruption(code));
    setTimeout(() => process.exit(code), CLEAN_UP_MS).unref();
  });
stopOn('SIGINT', EXIT.interrupted);
stopOn('SIGTERM', EXIT.terminated);
endOnLostOutput(process);

const { stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  environment: readEnvironment(),
  ...{ stdin, stdout, stderr },
  signal: stop.signal,
});
