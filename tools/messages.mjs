// @ts-check
/** Checks the texts for clients and their translations: `npm run messages -- --help`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flag, parseOptions, text } from './options.mjs';
import { PlainError, root } from './workspace.mjs';

const usage = `usage: npm run messages -- option
Checks the texts of apps and libraries for clients, and the catalogues of their translations.

  --check               fail when a translation is missing or wrong
  --missing <language>  print the texts that a catalogue lacks as JSON, with the code of their values and their places
  --sort                sort the catalogues by key
  --help

Catalogues: libs/domain/src/texts/catalogues/<language>.json. A library with a folder src/translations
has catalogues of its own there, for all texts of its code. Translations that equal the English on purpose are
listed in tools/messages/same-as-english.json.`;

/**
 * The texts and translations of one folder of catalogues.
 * @typedef {object} Owner
 * @property {string} folder
 * @property {import('./messages/texts.mjs').Text[]} texts
 * @property {(key: string) => boolean} owns true for the key of a text that these catalogues translate
 * @property {Record<string, Record<string, string>>} catalogues by language
 */

/**
 * Lists the folders of catalogues with their texts. A text belongs to a library with its own catalogues when that
 * library uses it, even if other code uses it, too.
 * @param {import('./messages/texts.mjs').Text[]} texts
 * @returns {Owner[]}
 */
function ownersOf(texts) {
  const libraries = readdirSync(join(root, 'libs'))
    .map((name) => `libs/${name}/`)
    .filter((library) => existsSync(join(root, library, 'src/translations')));
  const owners = libraries.map((library) => {
    const own = texts.filter(({ place }) => place.startsWith(library));
    const keys = new Set(own.map(({ key }) => key));
    return { folder: `${library}src/translations`, texts: own, owns: (/** @type {string} */ key) => keys.has(key) };
  });
  const isShared = (/** @type {string} */ key) => !owners.some(({ owns }) => owns(key));
  const shared = {
    folder: 'libs/domain/src/texts/catalogues',
    texts: texts.filter(({ key }) => isShared(key)),
    owns: isShared,
  };
  return [...owners, shared].map((owner) => ({ ...owner, catalogues: readCatalogues(owner.folder) }));
}

/**
 * Reads the catalogues of a folder, by language.
 * @param {string} folder
 */
const readCatalogues = (folder) =>
  Object.fromEntries(
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.replace('.json', ''), readJson(join(root, folder, name))]),
  );
/**
 * Reads a JSON file.
 * @param {string} file @returns {any}
 */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

async function main() {
  if (!existsSync(join(root, 'libs/message/dist/index.js'))) throw new PlainError('build first: npm run build');
  // Imported here because a fresh clone lacks the compiled library.
  const [{ check, missing, sorted, TRANSLATED }, { findTexts }] = await Promise.all([
    import('./messages/check.mjs'),
    import('./messages/texts.mjs'),
  ]);
  const options = parseOptions(usage, { check: flag, missing: text, sort: flag }, process.argv.slice(2));
  if (!options) return;
  if (options.missing !== undefined && !TRANSLATED.includes(options.missing))
    throw new PlainError(`expected one of ${TRANSLATED.join(', ')}, found ${options.missing}\n\n${usage}`);
  const { texts, faults } = findTexts(root);
  const owners = ownersOf(texts);
  if (options.sort) {
    for (const { folder, catalogues } of owners)
      for (const [language, catalogue] of Object.entries(catalogues))
        writeFileSync(join(root, folder, `${language}.json`), `${JSON.stringify(sorted(catalogue), null, 2)}\n`);
  } else if (options.missing !== undefined) {
    const { missing: language } = options;
    const lacking = owners.map((owner) => missing(owner.texts, owner.catalogues[language] ?? {}));
    console.log(JSON.stringify(Object.assign({}, ...lacking), null, 2));
  } else if (options.check) {
    const same = readJson(join(root, 'tools/messages/same-as-english.json'));
    const sameOf = (/** @type {Owner} */ { owns }) =>
      Object.fromEntries(TRANSLATED.map((language) => [language, same[language].filter(owns)]));
    const checked = owners.flatMap((owner) =>
      check(owner.texts, owner.catalogues, sameOf(owner)).map((fault) => `${owner.folder}/${fault}`),
    );
    const all = [...faults, ...checked];
    for (const fault of all) console.error(`FAILED  ${fault}`);
    const count = new Set(texts.map(({ key }) => key)).size;
    console.log(
      all.length === 0
        ? `Messages: ${count} texts in ${TRANSLATED.length + 1} languages`
        : `Messages: ${all.length} errors in ${count} texts`,
    );
    process.exitCode = all.length === 0 ? 0 : 1;
  } else {
    console.log(usage);
  }
}

main().catch((error) => {
  console.error(error instanceof PlainError ? error.message : error);
  process.exitCode = 1;
});
