import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Jest reporter: leaves `{ passed, failed, skipped }` in `<project>/out-test/<suite>.json`, so that `npm test` can add up
 * the counts of every project, those that Nx replays from its cache included.
 */
export default class JestCounts {
  constructor(globalConfig, { suite }) {
    this.file = join(globalConfig.rootDir, 'out-test', `${suite}.json`);
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A suite that cannot be loaded has no failed test of its own, but it is a failure all the same.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    mkdirSync(join(this.file, '..'), { recursive: true });
    writeFileSync(this.file, JSON.stringify(counts) + '\n');
  }
}
