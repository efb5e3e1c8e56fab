// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { guardPid } from '../services/guard.mjs';
import { freePort, isFree } from '../services/ports.mjs';
import { createDatabase, startPostgres } from '../services/postgres.mjs';
import { sleep, startProcess } from '../services/processes.mjs';
import { findOrInstallRedis, startRedis } from '../services/redis.mjs';
import { runLogged } from '../services/run.mjs';
import { serviceAccount, serviceHome } from '../services/user.mjs';
import { dataDir, PlainError, root } from '../workspace.mjs';
import { takeLock } from './lock.mjs';
import { appLog } from './log.mjs';
import { readSettings, writeSettings } from './settings.mjs';
import { Stack } from './stack.mjs';

const readyTimeoutMs = 60_000;
const logs = join(dataDir, 'logs');
const say = (/** @type {string} */ line) => console.log(line);

/** `npm start`: the whole service on this machine, until Ctrl-C. */
export async function start() {
  const lock = await takeLock();
  try {
    await checkPorts();
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const stack = new Stack((children) => lock.write({ children, guard: guardPid(), url: baseUrl() }));
    process.exitCode = await stack.run(async () => {
      const env = appEnvironment(await startServers(stack));
      await prepare(stack, env);
      const apps = await startApps(stack, env);
      printReady(env);
      for (const { log } of apps) log.isQuiet = false;
    });
  } finally {
    lock.release();
  }
}

const ports = () => ({ PORT: process.env.PORT || '3000', NOTIFIER_PORT: process.env.NOTIFIER_PORT || '3001' });
const baseUrl = () => process.env.PUBLIC_BASE_URL || `http://localhost:${ports().PORT}`;

/** A taken port is told before anything is started. */
async function checkPorts() {
  for (const [name, value] of Object.entries(ports())) {
    const port = Number(value);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new PlainError(`${name} must be a port number from 1 to 65535.`);
    if (!(await isFree(port))) throw new PlainError(`Port ${port} is taken. Choose another: ${name}=${await freePort(port + 10)} npm start`);
  }
  if (ports().PORT === ports().NOTIFIER_PORT) throw new PlainError('PORT and NOTIFIER_PORT must differ.');
}

/**
 * The servers that the environment does not name.
 * @param {Stack} stack
 * @returns {Promise<{ DATABASE_URL: string, REDIS_URL: string }>}
 */
async function startServers(stack) {
  const { DATABASE_URL, REDIS_URL } = process.env;
  if (DATABASE_URL && REDIS_URL) return { DATABASE_URL, REDIS_URL };
  const settings = readSettings();
  const home = serviceHome(serviceAccount());
  if (home !== dataDir) noteHome(home);
  // Looked for first: where there is none, nothing is started in vain.
  const redis = REDIS_URL ? undefined : await findOrInstallRedis({ logFile: join(logs, 'install.log'), say });
  stack.check();
  return {
    DATABASE_URL: DATABASE_URL || (await startDatabase(stack, settings, home)),
    REDIS_URL: redis === undefined ? (REDIS_URL ?? '') : await startQueue(stack, settings, { command: redis, dir: join(home, 'redis') }),
  };
}

/** @param {string} home */
function noteHome(home) {
  writeFileSync(join(dataDir, 'WHERE-THE-DATA-IS'), `${home}\n`);
  say(`data       in ${home}, as PostgreSQL does not run as root and other accounts cannot reach this directory`);
}

/** @typedef {import('./settings.mjs').Settings} Settings */

/**
 * @param {Stack} stack
 * @param {Settings} settings
 * @param {string} home
 */
async function startDatabase(stack, settings, home) {
  const dir = join(home, 'postgres');
  const isNew = !existsSync(dir);
  const port = await freePort(settings.databasePort);
  writeSettings(Object.assign(settings, { databasePort: port }));
  const { server, url } = await startPostgres({ dir, port, password: settings.databasePassword, logFile: join(logs, 'postgres.log') });
  stack.add(server);
  await createDatabase(url('postgres'), 'ats');
  say(`PostgreSQL 127.0.0.1:${port}, ${isNew ? 'new' : 'kept'} data in ${shown(dir)}`);
  return url('ats');
}

/**
 * @param {Stack} stack
 * @param {Settings} settings
 * @param {{ command: string, dir: string }} redis
 */
async function startQueue(stack, settings, { command, dir }) {
  const port = await freePort(settings.redisPort);
  writeSettings(Object.assign(settings, { redisPort: port }));
  const { server, url } = await startRedis({ command, dir, port, password: settings.redisPassword, logFile: join(logs, 'redis.log') });
  stack.add(server);
  say(`Redis      127.0.0.1:${port}`);
  return url;
}

const shown = (/** @type {string} */ dir) => (dir.startsWith(root) ? relative(root, dir) : dir);

/** @param {{ DATABASE_URL: string, REDIS_URL: string }} servers */
function appEnvironment(servers) {
  const settings = readSettings();
  const defaults = {
    ...ports(),
    PUBLIC_BASE_URL: baseUrl(),
    SECRET_KEY: settings.secretKey,
    BOOTSTRAP_TOKEN: settings.bootstrapToken,
    ALLOW_HTTP_DESTINATIONS: 'true',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    LOG_LEVEL: 'info',
  };
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value));
  return { ...defaults, ...given, ...servers };
}

/**
 * @param {Stack} stack
 * @param {NodeJS.ProcessEnv} env
 */
async function prepare(stack, env) {
  const node = process.execPath;
  await step(stack, 'build', node, ['node_modules/.bin/nx', 'run-many', '-t', 'build', '-p', '@ats/api', '@ats/notifier'], env);
  await step(stack, 'migrate', node, ['libs/domain/dist/cli/migrate.js'], env);
  if (existsSync(join(root, 'tools/seed.mjs'))) await step(stack, 'demo data', node, ['tools/seed.mjs', '--if-empty'], env);
}

/**
 * @param {Stack} stack
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function step(stack, name, command, args, env) {
  const startedAt = Date.now();
  const logFile = join(logs, `${name.replace(' ', '-')}.log`);
  writeFileSync(logFile, '', { mode: 0o600 });
  const { ok, tail } = await runLogged({ command, args, env: { ...env, FORCE_COLOR: '0' }, cwd: root, logFile, onStart: (running) => stack.addStep(running) });
  stack.check();
  if (!ok) throw new PlainError(`${tail}\n\n${name} failed, see ${shown(logFile)}`);
  say(`${name.padEnd(10)} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/**
 * @param {Stack} stack
 * @param {NodeJS.ProcessEnv} env
 */
async function startApps(stack, env) {
  const apps = [];
  for (const [name, port] of /** @type {const} */ ([['api', 'PORT'], ['notifier', 'NOTIFIER_PORT']])) {
    const log = appLog(name, join(logs, `${name}.log`));
    const running = await startProcess({
      name,
      command: process.execPath,
      args: ['--enable-source-maps', join(root, `apps/${name}/dist/main.js`)],
      env,
      cwd: root,
      onLine: log.write,
    });
    stack.add(running, { together: 'apps' });
    apps.push({ running, log, url: `http://127.0.0.1:${env[port]}/health/ready` });
  }
  await Promise.all(apps.map(({ running, url }) => untilReady(stack, running, url)));
  return apps;
}

/**
 * @param {Stack} stack
 * @param {import('../services/processes.mjs').Running} running
 * @param {string} url
 */
async function untilReady(stack, running, url) {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    stack.check();
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new PlainError(`${running.name} is not ready after ${readyTimeoutMs / 1000} s (${url} says ${answer?.status ?? 'nothing'}), see ${shown(logs)}`);
    await sleep(100);
  }
}

/** @param {NodeJS.ProcessEnv} env */
function printReady(env) {
  const base = `http://localhost:${env.PORT}`;
  const isGiven = Boolean(process.env.BOOTSTRAP_TOKEN); // then it may be a real secret
  say(`
Ready at ${base}

  token   ${isGiven ? 'the one in BOOTSTRAP_TOKEN' : env.BOOTSTRAP_TOKEN}
  try     curl -H "Authorization: Bearer ${isGiven ? '$BOOTSTRAP_TOKEN' : env.BOOTSTRAP_TOKEN}" "${base}/api/v1/applications?per_page=1"
  docs    ${base}/docs, and the five-minute tour in README.md
  stop    Ctrl-C; the data is kept for the next start (logs and secrets are in .data)
`);
}
