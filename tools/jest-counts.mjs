import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Jest reporter that writes `{ passed, failed, skipped }` to `<project>/out-test/<suite>.json`. `npm test` adds up the
 * counts of all projects. It also writes the seconds that the tests of each spec file took, slowest first, to
 * `<project>/out-test/<suite>.seconds.json`, so that a slow suite shows where its time goes.
 */
export default class JestCounts {
  constructor(globalConfig, { suite }) {
    this.rootDir = globalConfig.rootDir;
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
    writeFileSync(
      this.file.replace('.json', '.seconds.json'),
      JSON.stringify(secondsByFile(results, this.rootDir), null, 2) + '\n',
    );
  }
}

/** Adds up the durations of tests. A group of spec files has one `describe` block for each file. */
function secondsByFile({ testResults }, rootDir) {
  const seconds = new Map();
  for (const { testFilePath, testResults: tests } of testResults)
    for (const { ancestorTitles, duration } of tests) {
      const file = ancestorTitles.find((title) => title.endsWith('.ts')) ?? relative(rootDir, testFilePath);
      seconds.set(file, (seconds.get(file) ?? 0) + (duration ?? 0) / 1_000);
    }
  return Object.fromEntries([...seconds].sort(([, a], [, b]) => b - a));
}
