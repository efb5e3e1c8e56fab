// @ts-check
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDataDir, root } from '../workspace.mjs';
import { inWords } from './counts.mjs';
import { groupSpecs, groupUnitSpecs } from './groups.mjs';
import { inLanes } from './lanes.mjs';
import { typedLint } from './lint.mjs';
import { readOptions } from './options.mjs';
import SampleEnvironment from './sample-environment.cjs';
import { steps } from './steps.mjs';

test('the tools pass the type check', () => {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', join(root, 'tools/tsconfig.json')],
    { stdio: 'inherit' },
  );
});

test('the totals mention skipped tests only when there are some', () => {
  assert.equal(inWords({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
  assert.equal(inWords({ passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
});

test('npm test runs the chosen steps in their usual order', () => {
  assert.deepEqual(
    readOptions(['--only', 'unit, lint'])?.chosen.map(({ name }) => name),
    ['build', 'lint', 'unit'],
  );
  assert.deepEqual(
    readOptions(['--only', 'db'])?.chosen.map(({ name }) => name),
    ['build', 'db'],
  );
  assert.ok((readOptions([])?.chosen.length ?? 0) > 5);
});

test('npm test rejects unknown steps and options', () => {
  assert.throws(() => readOptions(['--only', 'unit,everything']), /there is no step of this name: everything/);
  assert.throws(() => readOptions(['--only', '']), /there is no step of this name/);
  assert.throws(() => readOptions(['--fast']), /--fast/);
});

test('npm test groups steps into lanes, after the steps without a lane', () => {
  const chosen = readOptions(['--only', 'unit,db,demo-data,e2e,faults,build'])?.chosen ?? [];
  assert.deepEqual(
    inLanes(chosen).map((lane) => lane.map(({ name }) => name)),
    [['build'], ['unit'], ['db', 'demo-data'], ['e2e', 'faults']],
  );
  assert.deepEqual(inLanes([]), [[]]);
});

test('each step except build runs in exactly one of npm test and npm run test:all', () => {
  const [short = [], long = []] = [[], ['--long']].map((args) => readOptions(args)?.chosen.map(({ name }) => name));
  assert.deepEqual(
    short.filter((name) => long.includes(name)),
    ['build'],
  );
  assert.deepEqual([...new Set([...short, ...long])].sort(), steps.map(({ name }) => name).sort());
});

test('each spec file that needs servers is in exactly one group, or runs alone', () => {
  const [short, long] = [false, true].map((isLong) => {
    const { groups, alone } = groupSpecs(isLong);
    return [...groups.flatMap(({ files }) => files), ...alone];
  });
  for (const part of [short, long]) assert.equal(new Set(part).size, part?.length);
  const all = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /-spec\.ts$/.test(file) && !/node_modules|\.(e2e|fault)-spec/.test(file))
      .map((file) => join(folder, file)),
  );
  assert.deepEqual([...new Set([...(short ?? []), ...(long ?? [])])].sort(), all.sort());
});

test('each unit spec is in exactly one group, or runs alone', () => {
  const { groups, alone } = groupUnitSpecs();
  const grouped = [...groups.flatMap(({ files }) => files), ...alone];
  const all = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[^/]+\/(src|test)\/.*\.spec\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  assert.deepEqual(grouped.sort(), all.sort());
});

test('a sample has the first quarter of the tests of each block of its file, rounded up', () => {
  const tests = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => ({ type: /** @type {const} */ ('test'), index }));
  const block = (/** @type {string} */ name, /** @type {any[]} */ children) => ({
    type: /** @type {const} */ ('describeBlock'),
    name,
    children,
  });
  const makeRoot = () =>
    block('ROOT', [block('a.ts', [...tests(9), block('inner', tests(2))]), block('b.ts', tests(3))]);
  const [root, unchanged] = [makeRoot(), makeRoot()];
  const environment = Object.create(SampleEnvironment.prototype, { global: { value: { sampledFiles: ['a.ts'] } } });
  environment.handleTestEvent({ name: 'start_describe_definition' }, { rootDescribeBlock: root });
  assert.deepEqual(root, unchanged);
  environment.handleTestEvent({ name: 'run_start' }, { rootDescribeBlock: root });
  assert.deepEqual(
    root,
    block('ROOT', [block('a.ts', [...tests(3), block('inner', tests(1))]), block('b.ts', tests(3))]),
  );
});

test('the lint fails for a promise that is not awaited', () => {
  const folder = mkdtempSync(join(makeDataDir(), 'lint-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true }, "include": ["*.ts"] }');
    for (const [name, text, status] of /** @type {const} */ ([
      ['fails.ts', 'async function f() {\n  await Promise.resolve();\n}\nf();\n', 1],
      ['passes.ts', 'async function f() {\n  await Promise.resolve();\n}\nvoid f();\n', 0],
    ])) {
      writeFileSync(join(folder, name), text);
      const result = spawnSync(
        process.execPath,
        [...typedLint, '-c', join(root, '.oxlintrc.json'), join(folder, name)],
        {
          cwd: folder,
          encoding: 'utf8',
        },
      );
      assert.equal(result.status, status, result.stdout);
      if (status) assert.match(result.stdout, /no-floating-promises/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
