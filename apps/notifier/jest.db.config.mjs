import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('test-db'),
  testMatch: ['<rootDir>/src/**/*.db-spec.ts', '<rootDir>/test/**/*.http-spec.ts'],
  // Longer than the waits of a test (test/eventually.ts), whose errors name the missing result.
  testTimeout: 150_000,
};
