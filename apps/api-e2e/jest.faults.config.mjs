import preset, { reporters } from '../../jest.preset.mjs';

/** Configuration of `npm run test:faults`, which also prepares the apps and servers of these tests. */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('faults', { fileSeconds: 3 * 3_600 }),
  testMatch: ['<rootDir>/src/faults/*.fault-spec.ts'],
  // Timeout of a test in ms. Only a test that hangs takes so long.
  testTimeout: 2 * 3_600_000,
};
