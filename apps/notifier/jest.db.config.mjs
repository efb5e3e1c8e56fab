import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('test-db'),
  testMatch: ['<rootDir>/src/**/*.db-spec.ts', '<rootDir>/test/**/*.http-spec.ts'],
  // Longer than each wait in test/eventually.ts: its error names the missing result, a test timeout does not.
  testTimeout: 300_000,
};
