import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  // The verifiers of the README start interpreters. They are not beside the code, where specs must be fast.
  testMatch: [...preset.testMatch, '<rootDir>/test/**/*.spec.ts'],
};
