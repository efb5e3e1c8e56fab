import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Jest reporter that writes `{ passed, failed, skipped }` to `<project>/out-test/<suite>.json`. `npm test` adds up the
 * counts of all projects.
 */
export default class JestCounts {
  constructor(globalConfig, { suite }) {
    this.file = join(globalConfig.rootDir, 'out-test', `${suite}.json`);
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A spec file that cannot be loaded has no failed test of its own, but it counts as a failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    mkdirSync(join(this.file, '..'), { recursive: true });
    writeFileSync(this.file, JSON.stringify(counts) + '\n');
  }
}
