import preset from './jest.preset.mjs';
import { splitUnitSpecs } from './tools/test/groups.mjs';

/**
 * Runs the unit specs of all projects, which do no I/O, in one run of Jest. With `TEST_ALL=1`, Jest runs only the specs
 * with `@group split`, and these draw all of their random cases.
 */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch:
    process.env.TEST_ALL === '1'
      ? splitUnitSpecs().map((file) => `<rootDir>/${file}`)
      : ['<rootDir>/*/*/src/**/*.spec.ts', '<rootDir>/*/*/test/**/*.spec.ts'],
};
