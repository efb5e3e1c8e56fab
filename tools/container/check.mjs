// @ts-check
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDatabase } from '../services/postgres.mjs';
import { freePort } from '../services/ports.mjs';
import { sleep } from '../services/processes.mjs';
import { root } from '../workspace.mjs';

/** @typedef {import('./engine.mjs').Engine} Engine */
/** @typedef {'api' | 'notifier' | 'console'} App */

const readyTimeoutMs = 60_000;

/**
 * Greatest accepted size of an image beyond its base image. A larger image probably contains files that it does not
 * need. The documentation site takes 25 MB.
 */
const maxMegabytes = 100;

const wantedLabels = ['title', 'description', 'version', 'revision', 'created', 'base.name'].map(
  (name) => `org.opencontainers.image.${name}`,
);

/**
 * Checks the configuration and the files of an image without starting it.
 * @param {Engine} engine @param {string} app @param {string} image @param {(line: string) => void} say
 */
export function checkImage(engine, app, image, say) {
  const [{ Config: config, Healthcheck: healthcheck }] = JSON.parse(engine.query('image', 'inspect', image));
  const { faults, megabytes, packages } = engine.withFiles(image, (dir) => inspect(join(dir, config.WorkingDir)));
  say(`image of ${app}: ${megabytes} MB more than its base image, ${packages} npm packages`);
  if (megabytes > maxMegabytes) faults.push(`${megabytes} MB are more than ${maxMegabytes}`);
  if (!/^[1-9]\d*:[1-9]\d*$/.test(config.User))
    faults.push(`USER is ${config.User}, expected two numbers above 0, such as 1000:1000`);
  for (const label of wantedLabels) if (!config.Labels[label]) faults.push(`label ${label} is missing`);
  if (!healthcheck) faults.push('HEALTHCHECK is missing');
  return faults.map((fault) => `${app}: ${fault}`);
}

/**
 * Finds files that an image must not contain: development packages, sources and tests.
 * @param {string} dir
 */
function inspect(dir) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const faults = [];
  let bytes = 0;
  let packages = 0;
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = lstatSync(join(dir, path));
    bytes += file.isFile() ? file.size : 0;
    const entry = path.includes('node_modules/') ? lock[path] : undefined;
    if (entry) packages++;
    if (entry?.dev || entry?.devOptional) faults.push(`${path} is a development package`);
    if (entry?.optional) faults.push(`${path} is an optional package`);
    if (/^(apps|libs)\//.test(path) && file.isFile() && !isWanted(path))
      faults.push(`${path} is not compiled code, a catalogue, a page or a package.json`);
    if (/\.(db-|http-)?spec\.js/.test(path) && !path.includes('node_modules/')) faults.push(`${path} is a test`);
  }
  return { faults: [...faults, ...sbomFaults(dir, lock)], megabytes: Math.round(bytes / 1e6), packages };
}

/**
 * Compares the SBOM of an image with the installed packages.
 * @param {string} dir @param {Record<string, any>} lock
 */
function sbomFaults(dir, lock) {
  const file = join(dir, 'sbom.cdx.json');
  if (!existsSync(file)) return ['sbom.cdx.json is missing'];
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8'));
  if (bomFormat !== 'CycloneDX') return ['sbom.cdx.json is not CycloneDX'];
  const listed = components.filter((/** @type {any} */ { purl }) => !purl.startsWith('pkg:npm/%40ats/'));
  const named = new Set(listed.map((/** @type {any} */ component) => component['bom-ref']));
  const installed = new Set(
    Object.entries(lock)
      .filter(([path, { link }]) => path.includes('node_modules/') && !link && existsSync(join(dir, path)))
      .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
  );
  return [
    ...[...installed].filter((name) => !named.has(name)).map((name) => `sbom.cdx.json does not name ${name}`),
    ...[...named]
      .filter((name) => !installed.has(name))
      .map((name) => `sbom.cdx.json names ${name}, which is not installed`),
    ...listed
      .filter((/** @type {any} */ { licenses, hashes }) => !(licenses?.length && hashes?.[0]?.alg === 'SHA-512'))
      .map((/** @type {any} */ component) => `sbom.cdx.json lacks the licence or hash of ${component['bom-ref']}`),
  ];
}

/**
 * True for a file that belongs in an image: compiled code, packages and the documentation site.
 * @param {string} path
 */
const isWanted = (path) =>
  /^(apps|libs)\/[^/]+\/(package\.json|dist\/.*\.js(on|\.map)?|node_modules\/.*)$/.test(path) ||
  /^apps\/(docs|console)\/dist\/site\//.test(path);

const excluded = [
  'docker/.env',
  'apps/api/.env',
  '.env.production',
  'apps/api/tls/server.key',
  'ca.pem',
  '.git/config',
  '.data/dev.json',
  '.data/start.env',
  'node_modules/a',
  'libs/domain/node_modules/a',
  'apps/api/dist/main.js',
];
const included = ['package.json', '.npmrc', 'apps/api/src/main.ts', 'apps/api/src/docs/docs.module.ts', 'nx.json'];

/** Checks that .dockerignore keeps secrets and generated files out of a build. @param {Engine} engine */
export async function checkContext(engine) {
  const home = mkdtempSync(join(tmpdir(), 'ats-context-'));
  try {
    for (const path of [...excluded, ...included]) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), '');
    }
    cpSync(join(root, '.dockerignore'), join(home, '.dockerignore'));
    const dockerfile = join(home, 'everything.Dockerfile');
    writeFileSync(dockerfile, 'FROM scratch\nCOPY . /\n');
    await engine.build({ image: 'localhost/ats-context', dockerfile, context: home });
    return engine.withFiles('localhost/ats-context', (dir) => [
      ...excluded.filter((path) => existsSync(join(dir, path))).map((path) => `.dockerignore lets ${path} through`),
      ...included.filter((path) => !existsSync(join(dir, path))).map((path) => `.dockerignore excludes ${path}`),
    ]);
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The strictest settings with which the images must work. They allow less than a small machine. */
const confined = [
  ...['--rm', '--network', 'host', '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all'],
  ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
];

/**
 * Migrates a new database with the API's image, then starts the apps, checks their health and stops them.
 * @param {Engine} engine
 * @param {Record<App, string>} images
 * @param {{ databaseUrl: string, redisUrl: string, logFile: string }} services
 */
export async function checkStart(engine, images, { databaseUrl, redisUrl, logFile }) {
  const name = `container_${randomBytes(6).toString('hex')}`;
  await createDatabase(databaseUrl, name);
  const ports = { api: await freePort(), notifier: await freePort(), console: await freePort() };
  const ownerUrl = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  const apiUrl = Object.assign(new URL(ownerUrl), { username: 'ats_container_api' }).href;
  const env = {
    PORT: String(ports.api),
    NOTIFIER_PORT: String(ports.notifier),
    CONSOLE_PORT: String(ports.console),
    DATABASE_URL: ownerUrl,
    API_DATABASE_URL: apiUrl,
    REDIS_URL: redisUrl,
    PUBLIC_BASE_URL: `http://localhost:${ports.api}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_TOKEN: `ats_container1_${randomBytes(32).toString('base64url')}`,
  };
  // Arguments have only the names: podman reads the values from its own environment, so `ps` does not show them.
  const variables = Object.keys(env).flatMap((variable) => ['--env', variable]);
  const faults = [];
  for (const [app, image] of Object.entries(images)) {
    const writable = engine.query(
      'run',
      ...confined.filter((option) => option !== '--read-only'),
      image,
      'find',
      '.',
      '-writable',
    );
    if (writable) faults.push(`${app}: the user of the image can write ${writable.split('\n')[0]}`);
  }
  const migrate = ['node', 'libs/domain/dist/cli/migrate.js'];
  const migration = await engine.run(['run', ...confined, ...variables, images.api, ...migrate], env);
  if (!migration.ok) return [`api: the migration failed\n${migration.tail}`];
  for (const app of /** @type {const} */ (['api', 'notifier', 'console'])) {
    const log = logFile.replace(/\.log$/, `-${app}.log`);
    writeFileSync(log, '', { mode: 0o600 });
    const container = `ats-check-${app}-${process.pid}`;
    const args = ['run', '--name', container, ...confined, ...variables, images[app]];
    const running = await engine.start({
      name: app,
      args,
      env: { ...env, ...(app === 'api' && { DATABASE_URL: apiUrl }) },
      logFile: log,
    });
    const look = app === 'console' ? consoleFault : async () => undefined;
    const fault = await findFault(engine, { container, running, port: ports[app], log, look });
    if (fault) faults.push(`${app}: ${fault}`);
    if (app === 'api' && readFileSync(log, 'utf8').includes('can change the schema'))
      faults.push('api: its database role can change the schema');
  }
  return faults;
}

/**
 * Waits until a started container is ready, runs its HEALTHCHECK, and stops it.
 * @param {Engine} engine
 * @typedef {{ container: string, running: import('../services/processes.mjs').Running, port: number, log: string }} Started
 * @param {Started & { look: (port: number) => Promise<string | undefined> }} options `look` checks the
 *   running app, and returns an error or undefined
 * @returns {Promise<string | undefined>} the first error; undefined without an error
 */
async function findFault(engine, { container, running, port, log, look }) {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadline = Date.now() + readyTimeoutMs;
  while (!running.hasExited && Date.now() < deadline && !(await isReady())) await sleep(100);
  if (running.hasExited || !(await isReady())) {
    await running.stop();
    return `not ready after ${readyTimeoutMs / 1000} s\n${readFileSync(log, 'utf8').split('\n').slice(-15).join('\n')}`;
  }
  const seen = await look(port);
  const health = await engine.run(['healthcheck', 'run', container]);
  await running.stop();
  const { code, signal } = await running.exited;
  if (code !== 0) return `ended with ${signal ?? `exit code ${code}`} on SIGTERM, expected exit code 0`;
  if (seen) return seen;
  return health.ok ? undefined : `HEALTHCHECK failed while the app ran\n${health.tail}`;
}

/**
 * Checks that the container of the console serves its page with a strict policy, and its files compressed.
 * @param {number} port
 */
async function consoleFault(port) {
  const page = await fetch(`http://127.0.0.1:${port}/console/webhooks`);
  const policy = page.headers.get('content-security-policy') ?? '';
  if (!policy.startsWith("default-src 'none'") || /unsafe|https?:/.test(policy)) return `the policy is ${policy}`;
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  const file = await fetch(`http://127.0.0.1:${port}${script}`);
  if (file.status !== 200 || file.headers.get('content-encoding') !== 'gzip')
    return `${script} is answered with ${file.status} and the coding ${file.headers.get('content-encoding')}`;
  return undefined;
}
