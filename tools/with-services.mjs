// @ts-check
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { runTool } from './node.mjs';
import { PlainError } from './workspace.mjs';

const usage = `usage: npm run with-services -- [--postgres-15] <command> [arguments]
Runs a command with a PostgreSQL and a Redis of its own (TEST_DATABASE_URL, TEST_REDIS_URL), for example
  npm run with-services -- npx nx test-db @ats/api
--postgres-15 starts the oldest supported PostgreSQL instead of the newest.`;

await runTool(async () => {
  const given = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
  const isOldest = given[0] === '--postgres-15';
  const [command, ...args] = isOldest ? given.slice(1) : given;
  if (!command) throw new PlainError(usage);
  const { startTestServices } = await import('./services/test-services.mjs');

  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let isStopping = false;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      isStopping = true;
      // Does not forward SIGINT, because Ctrl-C reaches the command directly. This process waits until the command
      // ends.
      if (signal !== 'SIGINT') child?.kill(signal);
    });
  }
  const services = await startTestServices({
    say: console.error,
    isInMemory: true,
    ...(isOldest && { release: '15' }),
  });
  try {
    if (isStopping) return;
    child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...services.env } });
    const [code, signal] = await new Promise((resolve, reject) => {
      child?.once('error', (error) => reject(new PlainError(`${command} could not be started: ${error.message}`)));
      child?.once('exit', (...result) => resolve(result));
    });
    process.exitCode = code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
  } finally {
    await services.stop();
  }
});
