import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('e2e'),
  testMatch: ['<rootDir>/src/**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/../../tools/run-log/begin.mjs',
  globalTeardown: '<rootDir>/../../tools/run-log/check.mjs',
  // Above what a test waits for, which says what did not come.
  testTimeout: 150_000,
};
