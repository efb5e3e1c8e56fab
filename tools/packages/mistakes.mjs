// @ts-check
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTypes, checkUse } from './checks.mjs';
import { inParallel } from './environment.mjs';
import { examplesOf } from './readme.mjs';
import { release } from './release.mjs';
import { readProjects } from './template.mjs';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */
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

/**
 * Publishes a release with each mistake, and checks it as any release.
 * @param {string} workspace the copy of the workspace, which cannot be used for anything else afterwards
 * @param {(name: string) => Consumer} consumerOf an empty project for a library
 * @param {import('./checks.mjs').Place} place
 * @param {(line: string) => void} say
 * @returns {Promise<string[]>} the mistakes that were not found
 */
export async function checkMistakes(workspace, consumerOf, place, say) {
  const version = '0.999.0';
  for (const { library, make } of mistakes) {
    const folder = join(workspace, 'libs', library);
    make(folder);
    changeManifest(folder, (manifest) => ({ ...manifest, version }));
    appendFileSync(join(folder, 'CHANGELOG.md'), `## ${version}\n`);
  }
  const consumers = mistakes.map(({ library }) => consumerOf(`@ats/${library}`));
  const [{ env } = consumerOf('')] = consumers;
  const names = consumers.map(({ name }) => name);
  const projects = readProjects(workspace).filter(({ manifest }) => names.includes(manifest.name));
  await release(workspace, { registry: place.registry, env, projects });
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const note = (/** @type {Consumer} */ { name }, /** @type {string[]} */ faults) => {
    found.set(name, [...(found.get(name) ?? []), ...faults]);
  };
  await inParallel(consumers, async (consumer) => note(consumer, await checkUse(consumer, version, place)));
  await checkTypes(consumers, place, note);
  return mistakes.flatMap(({ about, library, expected }) => {
    const faults = found.get(`@ats/${library}`) ?? [];
    for (const fault of faults) say(`${about} in ${library} is found: ${fault.split('\n', 1)[0]}`);
    return expected
      .filter((pattern) => !faults.some((fault) => pattern.test(fault)))
      .map((pattern) => `${about} in ${library} is not found: expected ${pattern}, found ${JSON.stringify(faults)}`);
  });
}
