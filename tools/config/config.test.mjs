// @ts-check
// Tests the declarations of the environment variables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogueOf, describeAsJson, isNear } from '@ats/configuration';
import fc from 'fast-check';
import { root } from '../workspace.mjs';
import { checkEnvironment } from './check.mjs';
import { errorOf } from './error-of.mjs';
import { apps, readOptions } from './options.mjs';
import { loadProcesses } from './processes.mjs';
import { withTable } from './readme.mjs';

const processes = await loadProcesses();
const catalogue = catalogueOf(processes);

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
        const error = errorOf(process_, environment);
        const named = error?.violations.map(({ variable }) => variable) ?? [];
        for (const name of wrong) assert.ok(named.includes(name), `${name} of ${process_.name}`);
        assert.ok(!error?.message.includes('~'), error?.message);
        assert.ok(!checkEnvironment([process_], environment).violations.join().includes('~'));
      }),
      { numRuns: 60 },
    );
  }
});

test('a violated condition between two variables is reported by the name of one of them', () => {
  const notifier = processes.find(({ name }) => name === 'notifier');
  assert.ok(notifier);
  const violations = (/** @type {NodeJS.ProcessEnv} */ environment) =>
    errorOf(notifier, environment)?.violations.filter(({ variable }) => variable.endsWith('_DAYS'));
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
