import { readEnvironment } from './config/env.js';
import { run } from './program.js';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// The reader of a pipe may end first, as `head` does.
process.stdout.on('error', () => process.exit());

const { stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  environment: readEnvironment(),
  ...{ stdin, stdout, stderr },
  signal: stop.signal,
});
