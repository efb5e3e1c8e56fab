// @ts-check
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
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
export async function checkUse(consumer, version, { tools, registry }) {
  const installed = await attempt('install', () => {
    steps.createConsumer(consumer);
    return steps.install(consumer, version);
  });
  if (installed.length > 0) return installed;
  return [
    ...(await attempt('files', () => steps.checkFiles(consumer))),
    ...(await attempt('import and require', () => steps.checkNames(consumer))),
    ...(await attempt('README', () => steps.checkExamples(consumer))),
    ...(await attempt('typed use', () => steps.writeTypedUse(consumer))),
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
 * Checks the types of the given projects with each supported version of TypeScript. Each version runs once over all
 * projects, because most of the time goes into the types of Node and of the language. When several projects have a
 * package, TypeScript reads only the first copy. Projects with fewer of our libraries come first. The copy of a library
 * is therefore that of the project which has installed this library alone.
 * @param {readonly Consumer[]} consumers @param {Place} place
 * @param {(consumer: Consumer, found: string[]) => void} note
 */
export async function checkTypes(consumers, { tools, typeRoot }, note) {
  const sorted = consumers
    .map((consumer) => ({ consumer, count: steps.installedLibraries(consumer).length }))
    .sort((left, right) => left.count - right.count)
    .map(({ consumer }) => consumer);
  const project = join(typeRoot, '../tsconfig.json');
  steps.writeTypeProject(project, sorted, typeRoot);
  const programs = new Map([
    ['5.9', join(tools, 'node_modules/typescript-5/bin/tsc')],
    ['6', join(root, 'node_modules/typescript/bin/tsc')],
    ['7', join(createRequire(import.meta.url).resolve('typescript-7/package.json'), '../bin/tsc')],
  ]);
  await inParallel([...programs], async ([version, tsc]) => {
    const lines = await typeErrors(tsc, project);
    for (const line of lines) {
      const file = resolve(line.replace(/[(:].*$/, ''));
      // An error in a file outside all projects is counted for the first project, so that the error is reported.
      const owner = sorted.find(({ dir }) => file.startsWith(`${dir}/`)) ?? sorted[0];
      if (owner) note(owner, [`TypeScript ${version}: ${line}`]);
    }
  });
}

/** Returns the errors that a compiler prints, one line each. @param {string} tsc @param {string} project */
async function typeErrors(tsc, project) {
  try {
    await execute(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { maxBuffer: 1 << 26 });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {Record<string, string>} */ (error);
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => /^\S/.test(line));
    return lines.length > 0 ? lines : [String(message)];
  }
}

/**
 * Fetches a published package.
 * @param {string} url @param {string} name @param {string} version
 */
async function tarballOf(url, name, version) {
  const answer = await fetch(`${url}${name}/-/${name.replace('@ats/', '')}-${version}.tgz`);
  if (!answer.ok) throw new Error(`the private registry has no package ${name}@${version}`);
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
    if (limit === undefined)
      throw new Error(`${library} has ${size.toFixed(1)} KB, but size-limits.mjs has no limit for it: add one`);
    if (size > limit)
      throw new Error(
        `${library}: the exports ${names} have ${size.toFixed(2)} KB compressed, the limit in size-limits.mjs is ${limit} KB`,
      );
  }
}
