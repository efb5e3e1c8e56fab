import preset, { reporters } from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('test-db'),
  testMatch: ['<rootDir>/src/**/*.db-spec.ts'],
  testTimeout: 300_000,
};
