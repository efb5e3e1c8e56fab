// @ts-check
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./template.mjs').Manifest} Manifest */

/** The folder of a library from which its package is published. */
export const stagedFolder = 'out-package';

/**
 * Copies the files of a library that other teams get into `out-package`, from which npm packs it.
 * @param {string} folder the absolute path of the library
 * @returns {string} the absolute path of `out-package`
 */
export function stage(folder) {
  const target = join(folder, stagedFolder);
  rmSync(target, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = manifest.files.filter((/** @type {string} */ file) => !file.startsWith('!'));
  for (const file of [...named, 'CHANGELOG.md'])
    if (existsSync(join(folder, file)))
      cpSync(join(folder, file), join(target, file), { recursive: true, filter: isForOthers });
  for (const path of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue;
    const file = join(target, path);
    writeFileSync(file, withoutCitations(readFileSync(file, 'utf8')));
  }
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`);
  writeFileSync(join(target, 'README.md'), withoutInnerLinks(readFileSync(join(folder, 'README.md'), 'utf8')));
  return target;
}

/**
 * True for a file that a package contains.
 * @param {string} path
 */
const isForOthers = (path) => !path.endsWith('.tsbuildinfo') && !path.endsWith('.d.ts.map');

/**
 * Returns the package.json of the package. It lacks the settings of this workspace, and the entries for sources,
 * because the package has no sources. An entry point that only names sources, such as `./testing`, is removed.
 * @param {Manifest} manifest
 */
export function publishedManifest({ nx: _, devDependencies: __, ...manifest }) {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => {
    if (typeof target === 'string') return [[name, target]];
    const { '@ats/source': ___, ...conditions } = target;
    return Object.keys(conditions).length > 0 ? [[name, conditions]] : [];
  });
  // npm always packs the README and the licence. The changelog must be listed.
  return { ...manifest, files: [...(manifest.files ?? []), 'CHANGELOG.md'], exports: Object.fromEntries(entries) };
}

/**
 * Removes the references to pages of this repository, such as `Source: docs/reference/paging.md.`, from docstrings. No
 * package contains these pages. Other sources, such as an RFC, stay.
 * @param {string} declarations
 */
export const withoutCitations = (declarations) =>
  declarations
    .replaceAll(/^[ \t]*\* Source: docs\/\S+\.md(?:, "[^"\n]*"(?: and "[^"\n]*")*)?\.\n/gm, '')
    .replaceAll(/ ?Source: docs\/\S+\.md(?:, "[^"\n]*"(?: and "[^"\n]*")*)?\./g, '')
    .replaceAll(/Source: docs\/\S+\.md; /g, 'Source: ')
    .replaceAll(/ \(docs\/\S+\.md\)/g, '');

/** Replaces links to other folders of this repository by their text. @param {string} markdown */
export const withoutInnerLinks = (markdown) => markdown.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
