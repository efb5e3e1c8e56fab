// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sleep, startProcess } from '../services/processes.mjs';
import { runLogged } from '../services/run.mjs';
import { PlainError, root } from '../workspace.mjs';
import { appLog } from './log.mjs';
import { logs, say, shown } from './say.mjs';

/** @typedef {import('./stack.mjs').Stack} Stack */

const readyTimeoutMs = 60_000;

/** The projects that `npm start` builds: those that it runs, and the command line, which a guide packs and installs. */
export const BUILT = ['@ats/api', '@ats/notifier', '@ats/docs', '@ats/console', '@ats/cli'];

/**
 * Builds, checks the configuration, migrates and seeds the demo data.
 * @param {Stack} stack
 * @param {NodeJS.ProcessEnv} env
 */
export async function prepare(stack, env) {
  const node = process.execPath;
  await step(stack, 'build', node, ['node_modules/.bin/nx', 'run-many', '-t', 'build', '-p', ...BUILT], env);
  // Reports all errors in the configuration of all processes before one of them is started.
  await step(stack, 'config', node, ['tools/config.mjs', '--check', '--built'], env);
  for (const line of readFileSync(join(logs, 'config.log'), 'utf8').split('\n'))
    if (line.startsWith('warning: ')) say(line);
  // The default is a development system, because `ats trigger` creates invented items only there.
  const first = { SYSTEM_ENVIRONMENT: 'development', ...env };
  await step(stack, 'migrate', node, ['libs/domain/dist/cli/migrate.js'], first);
  if (existsSync(join(root, 'tools/seed.mjs')))
    await step(stack, 'demo data', node, ['tools/seed.mjs', '--if-empty'], env);
}

/**
 * Runs one command of the start-up, and prints how long it took. Throws when it fails.
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
  const { ok, tail } = await runLogged({
    command,
    args,
    env: { ...env, FORCE_COLOR: '0' },
    cwd: root,
    logFile,
    onStart: (running) => stack.addStep(running),
  });
  stack.check();
  if (!ok) throw new PlainError(`${tail}\n\n${name} failed, see ${shown(logFile)}`);
  say(`${name.padEnd(10)} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Returns the environment of the API, which has no owner's password. @param {NodeJS.ProcessEnv} env */
const apiEnvironment = ({ API_DATABASE_URL, DATABASE_URL, ...env }) => ({
  ...env,
  DATABASE_URL: API_DATABASE_URL || DATABASE_URL,
});

/**
 * Starts both apps and waits until they are ready.
 * @param {Stack} stack
 * @param {NodeJS.ProcessEnv} env
 */
export async function startApps(stack, env) {
  const apps = [];
  // The import is here because `prepare` builds this library. Log files keep the JSON lines; the terminal gets readable
  // text.
  const { toReadable } = await import(pathToFileURL(join(root, 'libs/logging/dist/index.js')).href);
  const inForm = env.LOG_FORMAT === 'json' ? (/** @type {string} */ line) => line : toReadable;
  for (const [name, port] of /** @type {const} */ ([
    ['api', 'PORT'],
    ['notifier', 'NOTIFIER_PORT'],
  ])) {
    const log = appLog(name, join(logs, `${name}.log`), inForm);
    const running = await startProcess({
      name,
      command: process.execPath,
      args: ['--enable-source-maps', join(root, `apps/${name}/dist/main.js`)],
      env: { ...(name === 'api' ? apiEnvironment(env) : env), LOG_FORMAT: 'json' },
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
 * Waits until an app answers that it is ready. Throws when that takes too long.
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
    if (Date.now() > deadline)
      throw new PlainError(
        `${running.name} is not ready after ${readyTimeoutMs / 1000} s ` +
          `(the answer of ${url} is ${answer?.status ?? 'missing'}), see ${shown(logs)}`,
      );
    await sleep(100);
  }
}
