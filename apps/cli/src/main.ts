import { readEnvironment } from './config/env.js';
import { EXIT, Interruption } from './errors.js';
import { endOnLostOutput } from './lost-output.js';
import { run } from './program.js';

/** Milliseconds that an interrupted command has to clean up, for example to delete an incomplete file. */
const CLEAN_UP_MS = 1_000;

const stop = new AbortController();
const stopOn = (name: NodeJS.Signals, code: number): void =>
  // Removes the listener at the first Ctrl-C, so that a second one ends the process at once.
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
