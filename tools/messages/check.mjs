// @ts-check
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @typedef {import('./texts.mjs').Text} Text */
/** @typedef {Readonly<Record<string, string>>} Catalogue translations by key */

/** Languages with a complete catalogue. A catalogue of English has only entries that override the text in the code. */
export const TRANSLATED = ['de', 'fr', 'es', 'ar'];

/**
 * Returns the keys that a catalogue lacks. `values` has the source code of the values that the text inserts, and
 * `places` has the places in the code that use the text.
 * @param {readonly Text[]} texts
 * @param {Catalogue} catalogue
 * @returns {Record<string, { values: string[], places: string[] }>}
 */
export function missing(texts, catalogue) {
  const keys = [...new Set(texts.map(({ key }) => key))].filter((key) => !Object.hasOwn(catalogue, key)).sort(byCode);
  return Object.fromEntries(
    keys.map((key) => {
      const uses = texts.filter((text) => text.key === key);
      return [key, { values: uses[0].values, places: uses.map(({ place }) => place) }];
    }),
  );
}

/**
 * Returns all errors in the catalogues as lines.
 * @param {readonly Text[]} texts
 * @param {Readonly<Record<string, Catalogue>>} catalogues by language, English among them
 * @param {Readonly<Record<string, readonly string[]>>} sameOnPurpose by language, the keys whose translation equals the
 *   English text on purpose
 */
export function check(texts, catalogues, sameOnPurpose) {
  const keys = new Set(texts.map(({ key }) => key));
  return Object.entries(catalogues).flatMap(([language, catalogue]) => {
    const same = sameOnPurpose[language] ?? [];
    const lacking =
      language === 'en'
        ? []
        : Object.entries(missing(texts, catalogue)).map(
            ([key, { places }]) => `has no translation of ${quote(key)} (${places[0]})`,
          );
    return [
      ...lacking,
      ...Object.entries(catalogue).flatMap(([key, text]) =>
        keys.has(key)
          ? faultsOf(key, text, { language, isSame: same.includes(key) })
          : [`translates ${quote(key)}, which no code uses`],
      ),
      ...same
        .filter((key) => catalogue[key] !== key)
        .map((key) => `translates ${quote(key)} differently, but same-as-english.json lists it`),
      ...(isSorted(Object.keys(catalogue)) ? [] : ['is not sorted by key: npm run messages -- --sort']),
    ].map((fault) => `${language}.json ${fault}`);
  });
}

/**
 * Returns the errors in one translation as lines.
 * @param {string} key
 * @param {string} text the translation
 * @param {{ language: string, isSame: boolean }} of
 */
function faultsOf(key, text, { language, isSame }) {
  const read = readIcu(text);
  if (read.fault !== undefined)
    return [`has a translation of ${quote(key)} that is not a valid ICU message: ${read.fault}`];
  const expected = namesOf(readIcu(key).names);
  const other = [read.names, read.certain].map(namesOf).find((found) => found !== expected);
  return [
    ...(other === undefined
      ? []
      : [
          `has other values in its translation of ${quote(key)}, or in one plural form: ` +
            `expected ${expected}, found ${other}`,
        ]),
    ...read.plurals
      .flatMap((forms) => lackingForms(forms, language))
      .map((form) => `lacks the plural form "${form}" in its translation of ${quote(key)}`),
    ...(read.kinds.size === 0
      ? []
      : [`formats a value in its translation of ${quote(key)}: values must stay unformatted`]),
    ...(read.hasPound
      ? [`writes # in its translation of ${quote(key)}: write {0}, so that numbers stay unformatted`]
      : []),
    ...(/[\u2066-\u2069]/.test(text)
      ? [`isolates a value in its translation of ${quote(key)}: values are isolated when they are inserted`]
      : []),
    ...(text === key && !isSame && language !== 'en' ? [`has the English text as translation of ${quote(key)}`] : []),
    ...(text === key && language === 'en' ? [`repeats ${quote(key)} without a change`] : []),
    ...(text.trim() === text && text !== ''
      ? []
      : [`has an empty translation of ${quote(key)}, or one with spaces around it`]),
  ];
}

/**
 * @typedef {object} Icu
 * @property {string} [fault]
 * @property {Set<string>} names of all values
 * @property {Set<string>} certain names that every form of the message uses
 * @property {string[][]} plurals the forms of each plural
 * @property {Set<number>} kinds types of elements other than texts, values, plurals and selects
 * @property {boolean} hasPound
 */

/**
 * Reads the parts of an ICU message that the checks need.
 * @param {string} text @returns {Icu}
 */
function readIcu(text) {
  /** @type {Icu} */
  const read = { names: new Set(), certain: new Set(), plurals: [], kinds: new Set(), hasPound: false };
  /**
   * Visits elements, and returns the names that every form of the message uses.
   * @param {import('@formatjs/icu-messageformat-parser').MessageFormatElement[]} elements @returns {Set<string>}
   */
  const visit = (elements) => {
    /** @type {Set<string>} */
    const certain = new Set();
    for (const element of elements) {
      if (element.type === TYPE.literal) continue;
      if (element.type === TYPE.pound) {
        read.hasPound = true;
        continue;
      }
      read.names.add(element.value);
      certain.add(element.value);
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        if (element.type === TYPE.plural) read.plurals.push(Object.keys(element.options));
        const [first = new Set(), ...others] = Object.values(element.options).map(({ value }) => visit(value));
        for (const name of first) if (others.every((one) => one.has(name))) certain.add(name);
      } else if (element.type !== TYPE.argument) read.kinds.add(element.type);
    }
    return certain;
  };
  try {
    read.certain = visit(parse(text, { ignoreTag: true }));
    return read;
  } catch (error) {
    return { ...read, fault: /** @type {Error} */ (error).message };
  }
}

/**
 * Returns the plural forms that are missing for numbers up to 200. French and Spanish have a further form for millions,
 * which is not required.
 * @param {readonly string[]} forms
 * @param {string} language
 */
function lackingForms(forms, language) {
  const rules = new Intl.PluralRules(language);
  const needed = new Set(Array.from({ length: 200 }, (_, index) => rules.select(index + 1)));
  return [...needed].filter((form) => !forms.includes(form));
}

/**
 * Joins names of values to one text for an error message.
 * @param {Set<string>} names
 */
const namesOf = (names) =>
  names.size === 0
    ? 'none'
    : [...names]
        .sort(byCode)
        .map((name) => `{${name}}`)
        .join(' ');

/**
 * Sorts a catalogue by key.
 * @param {Catalogue} catalogue
 */
export const sorted = (catalogue) => Object.fromEntries(Object.entries(catalogue).sort(([a], [b]) => byCode(a, b)));

/**
 * True when the keys are sorted.
 * @param {readonly string[]} keys
 */
const isSorted = (keys) => keys.every((key, index) => index === 0 || byCode(keys[index - 1], key) < 0);

/** Compares texts by code units, so that the order is the same on every machine. @param {string} a @param {string} b */
const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Quotes a key for a message.
 * @param {string} key
 */
const quote = (key) => JSON.stringify(key);
