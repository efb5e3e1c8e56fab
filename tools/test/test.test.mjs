// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { inWords } from './counts.mjs';
import { inLanes } from './lanes.mjs';
import { readOptions } from './options.mjs';

test('the tools pass the type check', () => {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', join(root, 'tools/tsconfig.json')],
    { stdio: 'inherit' },
  );
});

test('the last line names skipped tests only when there are any', () => {
  assert.equal(inWords({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
  assert.equal(inWords({ passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
});

test('runs the chosen steps in their usual order', () => {
  assert.deepEqual(
    readOptions(['--only', 'unit, lint'])?.chosen.map(({ name }) => name),
    ['lint', 'unit'],
  );
  assert.deepEqual(
    readOptions(['--only', 'db'])?.chosen.map(({ name }) => name),
    ['build', 'db'],
  );
  assert.ok((readOptions([])?.chosen.length ?? 0) > 5);
});

test('refuses steps and options that there are not', () => {
  assert.throws(() => readOptions(['--only', 'unit,everything']), /no such step: everything/);
  assert.throws(() => readOptions(['--only', '']), /no such step/);
  assert.throws(() => readOptions(['--fast']), /--fast/);
});

test('runs what waits beside what computes, and both after what they need', () => {
  const chosen = readOptions(['--only', 'unit,db,demo-data,e2e,faults,build'])?.chosen ?? [];
  assert.deepEqual(
    inLanes(chosen).map((lane) => lane.map(({ name }) => name)),
    [
      ['build', 'unit'],
      ['db', 'demo-data'],
      ['e2e', 'faults'],
    ],
  );
  assert.deepEqual(inLanes([]), [[]]);
});
