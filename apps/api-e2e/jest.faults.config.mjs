import preset, { reporters } from '../../jest.preset.mjs';

/** Run through `npm run test:faults`, which makes what these tests start from. */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  reporters: reporters('faults', { fileSeconds: 3 * 3_600 }),
  testMatch: ['<rootDir>/src/faults/*.fault-spec.ts'],
  // No test fails because it is slow; this ends one that hangs.
  testTimeout: 2 * 3_600_000,
};
