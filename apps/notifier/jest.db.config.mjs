import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('test-db'),
  testMatch: ['<rootDir>/src/**/*.db-spec.ts', '<rootDir>/test/**/*.http-spec.ts'],
  // Above what a test waits for (test/eventually.ts), which says what did not come.
  testTimeout: 60_000,
};
