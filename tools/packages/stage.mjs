// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./template.mjs').Manifest} Manifest */

/** The folder inside each library from which npm publishes the package of the library. */
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
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = citedPages(readme);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest, pages), undefined, 2)}\n`);
  writeFileSync(join(target, 'README.md'), withPackedLinks(readme, { from: relative(root, folder), to: '', pages }));
  for (const page of pages) {
    const inside = dirname(page);
    mkdirSync(join(target, inside), { recursive: true });
    const text = withPackedLinks(readFileSync(join(root, page), 'utf8'), { from: inside, to: inside, pages });
    writeFileSync(join(target, page), text);
  }
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
 * @param {readonly string[]} [pages] the pages of the reference in the package
 */
export function publishedManifest({ nx: _, devDependencies: __, ...manifest }, pages = []) {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => {
    if (typeof target === 'string') return [[name, target]];
    const { '@ats/source': ___, ...conditions } = target;
    return Object.keys(conditions).length > 0 ? [[name, conditions]] : [];
  });
  // npm always packs the README and the licence. Everything else must be listed.
  const files = [...(manifest.files ?? []), 'CHANGELOG.md', ...pages];
  return { ...manifest, files, exports: Object.fromEntries(entries) };
}

/**
 * Removes the references to pages of this repository, such as `Source: docs/reference/paging.md.`, from docstrings. A
 * package contains only the pages to which its README links. Other sources, such as an RFC, stay.
 * @param {string} declarations
 */
export const withoutCitations = (declarations) =>
  declarations
    .replaceAll(/^[ \t]*\* Source: docs\/\S+\.md(?:, "[^"\n]*"(?: and "[^"\n]*")*)?\.\n/gm, '')
    .replaceAll(/ ?Source: docs\/\S+\.md(?:, "[^"\n]*"(?: and "[^"\n]*")*)?\./g, '')
    .replaceAll(/Source: docs\/\S+\.md; /g, 'Source: ')
    .replaceAll(/ \(docs\/\S+\.md\)/g, '');

/**
 * Returns the pages of the reference to which a README links. A package contains them, because callers need their rules.
 * @param {string} readme
 * @returns {readonly string[]} such as `docs/reference/expressions.md`
 */
export const citedPages = (readme) => [
  ...new Set([...readme.matchAll(/\]\(\.\.\/\.\.\/(docs\/reference\/[\w-]+\.md)/g)].map(([, page = '']) => page)),
];

/**
 * Makes links lead to the pages of the package. Replaces links to other files of this repository by their text.
 * @param {string} markdown
 * @param {{ from: string, to: string, pages: readonly string[] }} options the folder of the file in this repository, its
 *   folder in the package, and the pages of the package
 */
export const withPackedLinks = (markdown, { from, to, pages }) =>
  markdown.replaceAll(/\[([^\]]+)\]\(([\w./-]+)(#[^)]*)?\)/g, (link, text, path, anchor = '') => {
    const target = posix.join(from, path);
    if (pages.includes(target)) return `[${text}](${posix.relative(to, target)}${anchor})`;
    const isInPackage = from !== to && target.startsWith(`${from}/`);
    return isInPackage ? link : text;
  });
