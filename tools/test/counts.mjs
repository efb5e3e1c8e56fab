// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * The projects that have a target, by their folders.
 * @param {string} target
 */
function projectsWith(target) {
  return ['apps', 'libs']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
    .filter((project) => existsSync(join(root, project, 'package.json')))
    .filter((project) => JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8')).nx?.targets?.[target]);
}

/** @param {string} project @param {string} suite */
const countsFile = (project, suite) => join(root, project, 'out-test', `${suite}.json`);
/** @param {string} project @param {string} suite */
const runningFile = (project, suite) => join(root, project, 'out-test', `${suite}.running.json`);

/**
 * Before a run, so that a crash is not hidden by what the run before has left. Nx puts back the counts of cached tasks.
 * @param {string} suite
 */
export function forgetCounts(suite) {
  for (const project of projectsWith(suite))
    for (const file of [countsFile(project, suite), runningFile(project, suite)]) rmSync(file, { force: true });
}

/**
 * The spec files that are being run, or were when the run was ended, each with the time that it has taken.
 * @param {string} suite
 */
export function runningSpecs(suite) {
  return projectsWith(suite).flatMap((project) => {
    const file = runningFile(project, suite);
    /** @type {Record<string, number>} */
    const running = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return Object.entries(running).map(
      ([spec, startedAt]) => `${join(project, spec)} (for ${Math.round((Date.now() - startedAt) / 1_000)} s)`,
    );
  });
}

/**
 * @param {string} suite
 * @param {boolean} ok how the command ended
 * @returns {Counts}
 */
export function addUpCounts(suite, ok) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const project of projectsWith(suite)) {
    const file = countsFile(project, suite);
    /** @type {Counts} */
    const counts = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { passed: 0, failed: ok ? 0 : 1, skipped: 0 };
    for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) sum[key] += counts[key];
  }
  if (!ok && sum.failed === 0) sum.failed = 1; // a failure outside the tests, which counts all the same
  return sum;
}

/** @param {Counts} counts */
export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
