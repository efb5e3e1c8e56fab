// @ts-check
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * A Jest suite. The reporters write its counts and the list of running spec files to `out-test` of its project.
 * @typedef {{ suite?: string, project?: string }} Suite
 */

/**
 * Returns the path of the file with the counts of a suite.
 * @param {Suite} suite
 */
const countsFile = ({ suite, project = '.' }) => join(root, project, 'out-test', `${suite}.json`);
/**
 * Returns the path of the file with the spec files that run.
 * @param {Suite} suite
 */
const runningFile = ({ suite, project = '.' }) => join(root, project, 'out-test', `${suite}.running.json`);

/**
 * Deletes the counts of the previous run, which would hide a crash of this run.
 * @param {Suite} suite
 */
export function forgetCounts(suite) {
  for (const file of [countsFile(suite), runningFile(suite)]) rmSync(file, { force: true });
}

/**
 * Returns the spec files that run now, or ran when the run was stopped, each with its time so far.
 * @param {Suite} suite
 */
export function runningSpecs(suite) {
  const file = runningFile(suite);
  /** @type {Record<string, number>} */
  const running = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.entries(running).map(
    ([spec, startedAt]) =>
      `${join(suite.project ?? '.', spec)} (for ${Math.round((Date.now() - startedAt) / 1_000)} s)`,
  );
}

/**
 * Reads the counts of a suite after its run.
 * @param {Suite} suite
 * @param {boolean} ok true when the command exited with 0
 * @returns {Counts}
 */
export function addUpCounts(suite, ok) {
  const file = countsFile(suite);
  // A run without counts has failed, regardless of its exit code.
  /** @type {Counts} */
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
  if (!ok && counts.failed === 0) counts.failed = 1; // The tests passed, but the command failed outside the tests.
  return counts;
}

/**
 * Formats counts.
 * @param {Counts} counts
 */
export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
