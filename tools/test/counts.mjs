// @ts-check
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Where the reporters of Jest leave what `npm test` adds up.
 * @typedef {{ suite?: string, project?: string }} Suite
 */

/** @param {Suite} suite */
const countsFile = ({ suite, project = '.' }) => join(root, project, 'out-test', `${suite}.json`);
/** @param {Suite} suite */
const runningFile = ({ suite, project = '.' }) => join(root, project, 'out-test', `${suite}.running.json`);

/**
 * Before a run, so that a crash is not hidden by what the run before has left.
 * @param {Suite} suite
 */
export function forgetCounts(suite) {
  for (const file of [countsFile(suite), runningFile(suite)]) rmSync(file, { force: true });
}

/**
 * The spec files that are being run, or were when the run was ended, each with the time that it has taken.
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
 * @param {Suite} suite
 * @param {boolean} ok how the command ended
 * @returns {Counts}
 */
export function addUpCounts(suite, ok) {
  const file = countsFile(suite);
  /** @type {Counts} */
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 1, skipped: 0 }; // A run that leaves no counts has failed, however it ended.
  if (!ok && counts.failed === 0) counts.failed = 1; // a failure outside the tests, which counts all the same
  return counts;
}

/** @param {Counts} counts */
export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
