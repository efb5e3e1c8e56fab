// @ts-check
// @group long: starts every process
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freePort } from '../services/ports.mjs';
import { root } from '../workspace.mjs';
import { errorOf } from './error-of.mjs';
import { loadProcesses } from './processes.mjs';

const processes = await loadProcesses();

const commands = /** @type {const} */ ({
  api: 'apps/api/dist/main.js',
  notifier: 'apps/notifier/dist/main.js',
  console: 'apps/console/dist/server/main.js',
  migrate: 'libs/domain/dist/cli/migrate.js',
  reseal: 'libs/domain/dist/cli/reseal.js',
  seed: 'tools/seed.mjs',
});

describe('real processes', { concurrency: 2 }, () => {
  for (const process_ of processes) {
    test(`${process_.name}, with a wrong environment, names every wrong variable in one message and exits with 1`, async () => {
      const secret = randomBytes(12).toString('hex');
      const names = Object.keys(process_.variables);
      const wrong = Object.fromEntries(names.map((name) => [name, `ftp://user:${secret}@host/${'#'.repeat(3)}`]));
      const expected = errorOf(process_, wrong);
      assert.ok(expected && expected.violations.length > 0);
      const { code, output } = await run(commands[/** @type {keyof typeof commands} */ (process_.name)], wrong);
      assert.equal(code, 1);
      assert.equal(output.trim(), expected.message);
      assert.ok(!output.includes(secret), output);
    });
  }

  for (const name of /** @type {const} */ (['api', 'notifier'])) {
    test(`${name} warns about a misspelled name without printing the value`, async () => {
      const port = String(await freePort());
      const environment = {
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
        REDIS_URL: 'redis://127.0.0.1:1',
        PUBLIC_BASE_URL: 'http://localhost',
        SECRET_KEY: 'k'.repeat(32),
        PORT: port,
        NOTIFIER_PORT: port,
      };
      const output = await runUntil(commands[name], { ...environment, LOG_LEVLE: 'whispering' }, /LOG_LEVLE/);
      assert.match(output, /"level":\S*(warn|40)\S*.*"LOG_LEVLE".*"LOG_LEVEL"/);
      assert.ok(!output.includes('whispering'));
    });
  }
});

/**
 * Returns the output of a process until it matches a pattern or the process ends.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} environment
 * @param {RegExp} pattern
 * @returns {Promise<string>}
 */
function runUntil(script, environment, pattern) {
  const child = spawn(process.execPath, [join(root, script)], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (pattern.test(output)) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

/**
 * Runs a script until it ends.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(script, environment) {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, script)],
      { cwd: root, env: { PATH: process.env.PATH, ...environment }, timeout: 300_000 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}
