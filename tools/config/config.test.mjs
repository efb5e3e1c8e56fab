// @ts-check
// Tests the declarations of the environment variables of the built processes.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { catalogueOf, describeAsJson, EnvironmentError, isNear, readEnvironment } from '@ats/configuration';
import fc from 'fast-check';
import { freePort } from '../services/ports.mjs';
import { root } from '../workspace.mjs';
import { checkEnvironment } from './check.mjs';
import { apps, readOptions } from './options.mjs';
import { loadProcesses } from './processes.mjs';
import { withTable } from './readme.mjs';

const processes = await loadProcesses();
const catalogue = catalogueOf(processes);

/**
 * Reads an environment. Returns the error of a wrong environment, otherwise undefined.
 * @param {import('./processes.mjs').Process} process_ @param {NodeJS.ProcessEnv} environment
 */
function read(process_, environment) {
  try {
    readEnvironment(process_, environment);
    return undefined;
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}

test('every default and every example is valid', () => {
  for (const { name, variable } of catalogue) {
    for (const text of [variable.default, variable.example]) {
      if (text !== undefined) assert.ok(variable.schema.safeParse(text).success, `${name}: ${text}`);
    }
  }
});

test('every variable is described in a sentence or two', () => {
  for (const { name, variable } of catalogue) assert.match(variable.description, /^\S[^\n]{10,}[.]$/, name);
});

test('every variable whose example has a password is a secret', () => {
  for (const { name, variable } of catalogue)
    assert.ok(variable.isSecret || !/:\/\/[^/]*:[^/]*@/.test(variable.example ?? ''), name);
});

test('no name of a variable resembles a misspelling of another name', () => {
  const names = catalogue.map(({ name }) => name);
  assert.deepEqual(
    names.flatMap((one) =>
      names.filter((other) => one !== other && isNear(other, one)).map((other) => `${one}, ${other}`),
    ),
    [],
  );
});

test('README.md has the generated table of variables', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  assert.ok(withTable(readme, processes) === readme, 'README.md is out of date: npm run config -- --readme');
});

test('npm run config -- --readme repairs a table of variables that was changed by hand', () => {
  const readme = withTable(readFileSync(join(root, 'README.md'), 'utf8'), processes);
  for (const changed of [
    readme.replace('| `PORT` | api | `3000` |', '| `PORT` | api | `80` |'),
    readme.replace(/^\| `SMTP_URL`.*\n/m, ''),
  ]) {
    assert.notEqual(changed, readme);
    assert.equal(withTable(changed, processes), readme);
  }
  assert.throws(() => withTable('# Something else', processes), /between which the table of variables is written/);
});

test('each process reports every wrong variable by name and prints no value', () => {
  const token = fc.stringMatching(/^[A-Z]{12}$/).map((text) => `~${text}`);
  const value = fc.tuple(
    token,
    fc.constantFrom(
      '{}',
      'postgres://u:{}@host/db',
      'mysql://u:{}@host',
      'redis://u:{}@a,b',
      'redis://{}@h?mode=sentinel',
      'redis://:%{}@h',
      'smtp://u:{}@h/inbox',
      'https://u:{}@h/#x',
      'https://{}',
      'ats_{}',
      '1,{}',
      '{}\n{}',
      '10.0.0.0/{}',
      'Me <{}>',
      'a={}',
      '0{}',
    ),
  );
  const text = value.map(([secret, form]) => form.replaceAll('{}', secret));
  for (const process_ of processes) {
    const names = Object.keys(process_.variables);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (environment) => {
        const wrong = names.filter((name) => {
          const declared = process_.variables[name];
          const given = environment[name] ?? declared.default;
          return given === undefined ? declared.whenAbsent === undefined : !declared.schema.safeParse(given).success;
        });
        const error = read(process_, environment);
        const named = error?.violations.map(({ variable }) => variable) ?? [];
        for (const name of wrong) assert.ok(named.includes(name), `${name} of ${process_.name}`);
        assert.ok(!error?.message.includes('~'), error?.message);
        assert.ok(!checkEnvironment([process_], environment).violations.join().includes('~'));
      }),
      { numRuns: 60 },
    );
  }
});

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
      const expected = read(process_, wrong);
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

test('a violated condition between two variables is reported by the name of one of them', () => {
  const notifier = processes.find(({ name }) => name === 'notifier');
  assert.ok(notifier);
  const violations = (/** @type {NodeJS.ProcessEnv} */ environment) =>
    read(notifier, environment)?.violations.filter(({ variable }) => variable.endsWith('_DAYS'));
  assert.deepEqual(violations({ EVENT_RETENTION_DAYS: '20' }), [
    {
      variable: 'EVENT_RETENTION_DAYS',
      info: 'must not be less than DELIVERY_RETENTION_DAYS, because events explain deliveries',
    },
  ]);
  assert.deepEqual(violations({ EVENT_RETENTION_DAYS: '20', DELIVERY_RETENTION_DAYS: '20' }), []);
});

test('npm run config -- --check warns once about a misspelled name', () => {
  const { warnings } = checkEnvironment(processes, { DATABSE_URL: 'x', RATELIMIT: '10', SMTP_URL: 'x', HOME: '/' });
  assert.deepEqual(warnings, [
    'the variable DATABSE_URL is unknown. Did you mean DATABASE_URL?',
    'the variable RATELIMIT is unknown. Did you mean RATE_LIMIT?',
  ]);
});

test('npm run config -- --check lists each error once with its processes', () => {
  const { violations } = checkEnvironment(processes, { PORT: 'x' });
  assert.ok(violations.includes('PORT: must be a port number from 1 to 65535 (api)'), violations.join('\n'));
  assert.ok(
    violations.includes('DATABASE_URL: is required but not set (api, notifier, migrate, reseal, seed)'),
    violations.join('\n'),
  );
});

test('npm run config -- --json has the same variables as the table of the README', () => {
  const { variables } = describeAsJson(processes);
  assert.deepEqual(
    variables.map(({ name, readBy }) => [name, readBy]),
    catalogue.map(({ name, readBy }) => [name, readBy]),
  );
  assert.deepEqual(variables.find(({ name }) => name === 'LOG_LEVEL')?.schema['enum'], [
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  ]);
});

test('npm run config accepts one option at a time and only known processes', () => {
  assert.deepEqual(
    processes.map(({ name }) => name),
    [...apps],
  );
  assert.deepEqual(readOptions(['--print', '--app', 'api']), { task: 'print', app: 'api', isBuilt: false });
  for (const args of [
    [],
    ['--print', '--json'],
    ['--print', '--app', 'web'],
    ['--readme', '--app', 'api'],
    ['--all'],
  ]) {
    assert.throws(() => readOptions(args), { name: 'Error' }, args.join(' '));
  }
});
