// @ts-check
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf } from './readme.mjs';
import { release } from './release.mjs';
import { readProjects } from './template.mjs';

/** @typedef {import('./template.mjs').Manifest} Manifest */

/**
 * A mistake that the rehearsal must find.
 * @typedef {object} Mistake
 * @property {string} about
 * @property {string} library
 * @property {(folder: string) => void} make makes the mistake in the folder of the library
 * @property {RegExp[]} expected the faults that must be found
 */

/** @type {readonly Mistake[]} */
const mistakes = [
  {
    about: 'an undeclared dependency',
    library: 'datapath',
    make: (folder) =>
      changeManifest(folder, ({ dependencies: { 'fastest-levenshtein': _, ...dependencies } = {}, ...rest }) => ({
        ...rest,
        dependencies,
      })),
    expected: [/^import and require: [^]*Cannot find package 'fastest-levenshtein'/],
  },
  {
    about: 'a type of a package that is no dependency',
    library: 'destination-guard',
    make: (folder) => {
      appendFileSync(join(folder, 'dist/index.d.ts'), "export declare const pool: import('pg').Pool;\n");
    },
    expected: ['5.9', '6', '7'].map((version) => new RegExp(`^TypeScript ${version}: [^]*Cannot find module 'pg'`)),
  },
  {
    about: 'a wrong output in the README',
    library: 'message',
    make: (folder) => {
      const file = join(folder, 'README.md');
      const readme = readFileSync(file, 'utf8');
      const promised = examplesOf(readme, '@ats/message')[0]?.output.split('\n')[0] ?? '';
      writeFileSync(
        file,
        readme.replace(promised, () => `${promised} and more`),
      );
    },
    expected: [/^README: example 1: Node \S+: the README promises /],
  },
];

/**
 * Changes the package.json of a library.
 * @param {string} folder @param {(manifest: Manifest) => Manifest} change
 */
function changeManifest(folder, change) {
  const file = join(folder, 'package.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))), undefined, 2));
}

/** The version of the releases with a mistake. The dependencies of our other libraries do not accept this version. */
export const mistakenVersion = '0.999.0';

/** The libraries whose releases have a mistake. */
export const mistakenLibraries = mistakes.map(({ library }) => `@ats/${library}`);

/**
 * Publishes a release with each mistake.
 * @param {string} workspace the copy of the workspace, which cannot be used for anything else afterwards
 * @param {{ registry: string, env: NodeJS.ProcessEnv }} options
 */
export async function releaseMistakes(workspace, options) {
  for (const { library, make } of mistakes) {
    const folder = join(workspace, 'libs', library);
    make(folder);
    changeManifest(folder, (manifest) => ({ ...manifest, version: mistakenVersion }));
    appendFileSync(join(folder, 'CHANGELOG.md'), `## ${mistakenVersion}\n`);
  }
  const projects = readProjects(workspace).filter(({ manifest }) => mistakenLibraries.includes(manifest.name));
  // With this tag, `latest` stays at the release without mistakes, which the example shop installs.
  await release(workspace, { ...options, projects, tag: 'mistaken' });
}

/**
 * Compares the faults of the releases with a mistake with the expected ones.
 * @param {ReadonlyMap<string, string[]>} found the faults of each library
 * @param {(line: string) => void} say
 * @returns {string[]} the mistakes that were not found
 */
export const unfoundMistakes = (found, say) =>
  mistakes.flatMap(({ about, library, expected }) => {
    const faults = found.get(`@ats/${library}`) ?? [];
    for (const fault of faults) say(`${about} in ${library} is found: ${fault.split('\n', 1)[0]}`);
    return expected
      .filter((pattern) => !faults.some((fault) => pattern.test(fault)))
      .map((pattern) => `${about} in ${library} is not found: expected ${pattern}, found ${JSON.stringify(faults)}`);
  });
