import preset from './jest.preset.mjs';

/** The specs without I/O of all projects in one process. */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['<rootDir>/*/*/src/**/*.spec.ts', '<rootDir>/*/*/test/**/*.spec.ts'],
};
