// @ts-check
/** Checks the texts for clients and their translations: `npm run messages -- --help`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flag, parseOptions, text } from './options.mjs';
import { PlainError, root } from './workspace.mjs';

const usage = `usage: npm run messages -- option
Checks the texts of apps and libraries for clients, and the catalogues of their translations.

  --check               fail when a translation is missing or wrong
  --missing <language>  print the texts that a catalogue lacks as JSON, with the code of their values and their places
  --sort                sort the catalogues by key
  --help

Catalogues: libs/domain/src/texts/catalogues/<language>.json. Translations that equal the English on
purpose are listed in tools/messages/same-as-english.json.`;

/**
 * Returns the path of a catalogue.
 * @param {string} language
 */
const catalogueFile = (language) => join(root, 'libs/domain/src/texts/catalogues', `${language}.json`);
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
  const languages = ['en', ...TRANSLATED];
  const catalogues = Object.fromEntries(languages.map((language) => [language, readJson(catalogueFile(language))]));
  if (options.sort) {
    for (const language of languages)
      writeFileSync(catalogueFile(language), `${JSON.stringify(sorted(catalogues[language]), null, 2)}\n`);
  } else if (options.missing !== undefined) {
    console.log(JSON.stringify(missing(findTexts(root).texts, catalogues[options.missing]), null, 2));
  } else if (options.check) {
    const { texts, faults } = findTexts(root);
    const all = [...faults, ...check(texts, catalogues, readJson(join(root, 'tools/messages/same-as-english.json')))];
    for (const fault of all) console.error(`FAILED  ${fault}`);
    const count = new Set(texts.map(({ key }) => key)).size;
    console.log(
      all.length === 0
        ? `Messages: ${count} texts in ${languages.length} languages`
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
