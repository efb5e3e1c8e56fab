import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  // The verifiers of the README start interpreters, so they are kept apart from the specs beside the code.
  testMatch: [...preset.testMatch, '<rootDir>/test/**/*.spec.ts'],
};
