// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../workspace.mjs';

/** @typedef {import('@ats/configuration').Process<any>} Process */

/** The compiled modules in which each process declares its variables. */
const files = [
  'apps/api/dist/config/env.js',
  'apps/notifier/dist/config/env.js',
  'apps/console/dist/config/env.js',
  'libs/domain/dist/cli/env.js',
  'libs/domain/dist/cli/reseal-env.js',
  'tools/demo-data/env.mjs',
];

/** Loads the declarations of all processes, in the order of the output. @returns {Promise<readonly Process[]>} */
export const loadProcesses = () =>
  Promise.all(files.map(async (file) => (await import(pathToFileURL(join(root, file)).href)).configuration));

/** Returns the names of all variables; an empty set before the first build. @returns {Promise<ReadonlySet<string>>} */
export async function declaredNames() {
  if (!files.every((file) => existsSync(join(root, file)))) return new Set();
  return new Set((await loadProcesses()).flatMap(({ variables }) => Object.keys(variables)));
}
