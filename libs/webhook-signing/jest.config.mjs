import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  // Specs in `src` must be fast. The specs that run the verifiers of the README in other languages are slow, so they
  // are in `test`.
  testMatch: [...preset.testMatch, '<rootDir>/test/**/*.spec.ts'],
};
