// @ts-check
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guardDir, unguardDir } from '../services/guard.mjs';
import { startTestServices } from '../services/test-services.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { Builder } from './build.mjs';
import { checkIgnoreFiles, checkImage, checkSharing, checkStart } from './check.mjs';

const usage = `usage: node tools/container-build.mjs [--check]
Follows docker/*.Dockerfile without a container engine, in temporary directories, and looks at what comes out.
  --check   also starts the results, on TEST_DATABASE_URL and TEST_REDIS_URL or on servers of its own`;

/** @param {string[]} args */
export async function main(args) {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(usage);
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, 'container.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  // Outside the workspace, where a package that was not installed cannot be found in a directory above.
  const home = mkdtempSync(join(tmpdir(), 'ats-container-'));
  chmodSync(home, 0o711); // so that the user of the image gets to it
  guardDir(home);
  const stop = () => process.exit(1); // the guard ends what runs and removes the directory
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
  const builder = new Builder({ context: root, home, logFile });
  try {
    const [api, notifier] = await Promise.all([build(builder, 'api'), build(builder, 'notifier')]);
    const images = { api, notifier };
    const faults = [
      ...checkIgnoreFiles(),
      ...checkSharing(notifier),
      ...checkImage('api', images.api, console.log),
      ...checkImage('notifier', images.notifier, console.log),
    ];
    if (values.check && faults.length === 0)
      faults.push(...(await withServices((services) => checkStart(images, { ...services, logFile }))));
    if (faults.length > 0) throw new PlainError(faults.join('\n'));
  } finally {
    await builder.remove();
    unguardDir(home);
  }
}

/** @param {Builder} builder @param {string} app */
async function build(builder, app) {
  const startedAt = Date.now();
  const image = await builder.build(join(root, `docker/${app}.Dockerfile`));
  console.log(`${app}: built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return image;
}

/**
 * @template Result
 * @param {(services: { databaseUrl: string, redisUrl: string }) => Promise<Result>} use
 */
async function withServices(use) {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  if (TEST_DATABASE_URL && TEST_REDIS_URL) return use({ databaseUrl: TEST_DATABASE_URL, redisUrl: TEST_REDIS_URL });
  const services = await startTestServices({ say: console.log });
  try {
    return await use({ databaseUrl: services.env.TEST_DATABASE_URL, redisUrl: services.env.TEST_REDIS_URL });
  } finally {
    await services.stop();
  }
}
