import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import preset, { reporters } from '../../jest.preset.mjs';

const folder = join(import.meta.dirname, 'src');
/**
 * Selects test files. `npm test` runs those without `@group long`, `npm run test:all` those with it, and `npm run
 * test:fleet` all.
 */
const isChosen = (file) =>
  process.env['E2E_FLEET'] === '1' ||
  readFileSync(join(folder, file), 'utf8').includes('@group long') === (process.env['TEST_ALL'] === '1');

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('e2e'),
  testMatch: readdirSync(folder)
    .filter((file) => file.endsWith('.e2e-spec.ts') && isChosen(file))
    .map((file) => join(folder, file)),
  globalSetup: '<rootDir>/../../tools/run-log/begin.mjs',
  globalTeardown: '<rootDir>/../../tools/run-log/check.mjs',
  // Timeout of a test in ms. It is longer than each wait inside a test, because the error of a wait names the missing
  // result.
  testTimeout: 300_000,
};
