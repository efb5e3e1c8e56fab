import preset from './jest.preset.mjs';

/** The unit specs of all projects, which do no I/O, in one run of Jest. */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['<rootDir>/*/*/src/**/*.spec.ts', '<rootDir>/*/*/test/**/*.spec.ts'],
};
