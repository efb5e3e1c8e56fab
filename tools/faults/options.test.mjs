// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.mjs';

test('npm run test:faults reads options and applies defaults', () => {
  assert.deepEqual(readOptions([]), {
    isFast: false,
    isBuilt: false,
    only: null,
    modes: ['plain', 'batch', 'strict', 'throttle'],
    soakSeconds: 120,
    absentSeconds: 30,
  });
  assert.deepEqual(
    readOptions([
      '--fast',
      '--built',
      '--only',
      '7, 12',
      '--modes',
      'strict, batch',
      '--soak',
      '3600',
      '--absent',
      '600',
    ]),
    {
      isFast: true,
      isBuilt: true,
      only: [7, 12],
      modes: ['strict', 'batch'],
      soakSeconds: 3600,
      absentSeconds: 600,
    },
  );
});

test('npm run test:faults refuses unknown options and values that are not positive integers, with the usage', () => {
  for (const args of [['--only', '0'], ['--only', ''], ['--only', '7,x'], ['--soak', '1.5'], ['--fats']])
    assert.throws(() => readOptions(args), /usage: npm run test:faults/);
});
