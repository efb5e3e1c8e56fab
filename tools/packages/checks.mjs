// @ts-check
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.mjs';
import { bundleSize } from './bundle.mjs';
import * as steps from './consumer.mjs';
import { attempt, inParallel } from './environment.mjs';
import { exportLimits, sizeLimits } from './size-limits.mjs';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */

/**
 * @typedef {object} Place
 * @property {string} tools the folder with the installed tools of the rehearsal
 * @property {string} registry
 * @property {string} typeRoot
 */

const execute = promisify(execFile);

/**
 * Installs a version of one library into an empty project, and uses it in every way except for its types.
 * @param {Consumer} consumer @param {string} version @param {Place} place
 * @returns {Promise<string[]>} faults
 */
export async function checkUse(consumer, version, { tools, registry, typeRoot }) {
  const installed = await attempt('install', () => {
    steps.createConsumer(consumer);
    return steps.install(consumer, version);
  });
  if (installed.length > 0) return installed;
  return [
    ...(await attempt('files', () => steps.checkFiles(consumer))),
    ...(await attempt('import and require', () => steps.checkNames(consumer))),
    ...(await attempt('README', () => steps.checkExamples(consumer))),
    ...(await attempt('typed use', () => steps.writeTypedUse(consumer, typeRoot))),
    ...(await attempt('size', () => checkSizes(consumer, tools))),
    ...(await attempt('package', async () => {
      const found = await steps.lintPackage(consumer, tools, await tarballOf(registry, consumer.name, version));
      if (found.length > 0) throw new Error(found.join('; '));
    })),
  ];
}

/** Installs a later version over the first one. @param {Consumer} consumer @param {string} version @returns {Promise<string[]>} */
export const checkUpdate = (consumer, version) =>
  attempt('update', async () => {
    await steps.install(consumer, version);
    await steps.checkFiles(consumer);
    await steps.checkNames(consumer);
  });

/**
 * Checks the types of the given projects with each supported version of TypeScript.
 * @param {readonly Consumer[]} consumers @param {Place} place
 * @param {(consumer: Consumer, found: string[]) => void} note
 */
export async function checkTypes(consumers, { tools }, note) {
  const programs = [
    () => checkTypesTogether('TypeScript 5.9', join(tools, 'node_modules/typescript-5'), consumers, note),
    () => checkTypesTogether('TypeScript 6', join(root, 'node_modules/typescript'), consumers, note),
    () => checkTypes7(consumers, note),
  ];
  await inParallel(programs, (program) => program());
}

/**
 * Checks the types of several projects in one program.
 * @param {string} about @param {string} typescript @param {readonly Consumer[]} consumers
 * @param {(consumer: Consumer, found: string[]) => void} note
 */
async function checkTypesTogether(about, typescript, consumers, note) {
  const script = join(root, 'tools/packages/types.mjs');
  const { stdout } = await execute(process.execPath, [script, typescript, ...consumers.map(({ dir }) => dir)], {
    maxBuffer: 1 << 26,
  });
  /** @type {string[][]} */
  const errors = JSON.parse(stdout);
  for (const [index, consumer] of consumers.entries())
    note(
      consumer,
      (errors[index] ?? []).slice(0, 5).map((error) => `${about}: ${error}`),
    );
}

/** TypeScript 7 has no programming interface. @param {readonly Consumer[]} consumers @param {(consumer: Consumer, found: string[]) => void} note */
async function checkTypes7(consumers, note) {
  const tsc = join(createRequire(import.meta.url).resolve('typescript-7/package.json'), '../bin/tsc');
  for (const consumer of consumers) {
    const run = () => execute(process.execPath, [tsc, '-p', consumer.dir], { maxBuffer: 1 << 26 });
    note(consumer, await attempt('TypeScript 7', run));
  }
}

/**
 * Fetches a published package.
 * @param {string} url @param {string} name @param {string} version
 */
async function tarballOf(url, name, version) {
  const answer = await fetch(`${url}${name}/-/${name.replace('@ats/', '')}-${version}.tgz`);
  if (!answer.ok) throw new Error(`the registry has no package of ${name}@${version}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Checks that the bundles of a library stay below their limits.
 * @param {Consumer} consumer @param {string} tools
 */
async function checkSizes(consumer, tools) {
  const library = consumer.name.replace('@ats/', '');
  const budgets = [['*', sizeLimits[library]], ...Object.entries(exportLimits[library] ?? {})];
  for (const [names, limit] of /** @type {[string, number | undefined][]} */ (budgets)) {
    const size = await bundleSize(consumer, tools, names);
    if (limit === undefined) throw new Error(`${size.toFixed(1)} KB: expected a limit of the size in size-limits.mjs`);
    if (size > limit) throw new Error(`${names}: ${size.toFixed(2)} KB compressed are more than ${limit} KB`);
  }
}
