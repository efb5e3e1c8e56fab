import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  // Specs in `src` must be fast. The specs of the README's verifiers start interpreters, so they are in `test`.
  testMatch: [...preset.testMatch, '<rootDir>/test/**/*.spec.ts'],
};
