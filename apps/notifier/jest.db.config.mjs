import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('test-db'),
  testMatch: ['<rootDir>/src/**/*.db-spec.ts', '<rootDir>/test/**/*.http-spec.ts'],
  // This timeout is longer than each wait in test/eventually.ts. The error of a wait names the missing result; the
  // error of a test timeout does not.
  testTimeout: 300_000,
};
