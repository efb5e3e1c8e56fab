import preset, { reporters } from './jest.preset.mjs';
import { writeGroups } from './tools/test/groups.mjs';

const isLong = process.env.TEST_ALL === '1';

/**
 * The specs on PostgreSQL and Redis of all projects, in groups. For a single file use the configuration of its project:
 * `npx nx test-db @ats/api <part of its name>`.
 */
export default {
  ...preset,
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/out-test'],
  // A group of spec files counts as one file, so this time limit is for a whole group.
  reporters: reporters('test-db', { fileSeconds: 2_400 }),
  testMatch: writeGroups({ isLong }),
  testEnvironment: '<rootDir>/tools/test/sample-environment.cjs',
  testSequencer: '<rootDir>/tools/test/sequencer.cjs',
  testTimeout: 300_000,
};
