import { readEnvironment } from './config/env.js';
import { run } from './program.js';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may end first, as `head` does. Any other error has lost output.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});

const { stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  environment: readEnvironment(),
  ...{ stdin, stdout, stderr },
  signal: stop.signal,
});
