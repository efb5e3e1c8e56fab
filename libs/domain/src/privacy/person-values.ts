import { type TextContent } from '../vocabulary/attribute-options.js';

/**
 * Limits that keep SQL expressions small: the number of characters of a value that are compared, and the number of
 * texts in one expression.
 */
const SQL_LIMITS = { characters: 100, texts: 50 } as const;

/**
 * The values in the form that SQL compares with folded texts. They match every text with a value, and few other texts.
 */
export interface SqlValues {
  /** The values as they are stored in plain texts and in HTML. An index has their words. */
  readonly forms: readonly string[];
  /** Regular expressions that match whole words. */
  readonly words: readonly string[];
  /** Like `words`, but without values of a single word. */
  readonly strongWords: readonly string[];
}

/** A part of a text, in UTF-16 units. */
export type TextSpan = readonly [offset: number, length: number];

/**
 * The values of one person: names, phone numbers and addresses. It finds them in texts as whole words, in upper or
 * lower case.
 */
export class PersonValues {
  readonly #any: RegExp | undefined;
  readonly #strong: RegExp | undefined;

  /** @param values  texts that the SQL function `fold` returned */
  constructor(readonly values: readonly string[]) {
    this.#any = expressionOf(values);
    this.#strong = expressionOf(values.filter(isStrong));
  }

  /** Returns one object for each value, with only this value. */
  get singles(): readonly PersonValues[] {
    return this.values.map((value) => new PersonValues([value]));
  }

  without(values: readonly string[]): PersonValues {
    return new PersonValues(this.values.filter((value) => !values.includes(value)));
  }

  /** True when none of the values is a single word. */
  get isStrong(): boolean {
    return this.values.every(isStrong);
  }

  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  /** True when both persons have the same values, in any order. */
  equals(other: PersonValues): boolean {
    return JSON.stringify([...this.values].sort()) === JSON.stringify([...other.values].sort());
  }

  get sql(): SqlValues {
    const { values } = this;
    const forms = [...new Set(values.flatMap(storedForms))];
    return { forms, words: sqlWords(values), strongWords: sqlWords(values.filter(isStrong)) };
  }

  /**
   * Finds the values in a text. In a `fact`, a value of a single word does not count, because it may be the name of a
   * city.
   */
  spans(text: string, content?: TextContent): readonly TextSpan[] {
    const expression = content === 'fact' ? this.#strong : this.#any;
    return expression ? [...text.matchAll(expression)].map((found) => [found.index, found[0].length]) : [];
  }
}

/** True for a value that is not a single word, such as a full name, an e-mail address or a phone number. */
const isStrong = (value: string): boolean => /[\s@\d]/u.test(value);

function expressionOf(values: readonly string[]): RegExp | undefined {
  if (values.length === 0) return undefined;
  const longestFirst = values.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const texts = longestFirst.flatMap((value) => [...new Set([value, escapedHtml(value)])]).map(wholeWords);
  return new RegExp(texts.join('|'), 'giu');
}

/** Returns the Unicode forms of a value. A text can have an accent as a separate character. */
const formsOf = (value: string): readonly string[] => [
  ...new Set([value, value.normalize('NFC'), value.normalize('NFD')]),
];

/** Returns the forms that a value can have in plain texts and in HTML. */
const storedForms = (value: string): readonly string[] => formsOf(value).flatMap((form) => [form, escapedHtml(form)]);

/** Makes regular expressions for PostgreSQL. They match the texts that contain one of the values. */
function sqlWords(values: readonly string[]): readonly string[] {
  const texts = [...new Set(values.flatMap(storedForms))].map(toSqlWords);
  const expressions: string[] = [];
  for (let index = 0; index < texts.length; index += SQL_LIMITS.texts)
    expressions.push(texts.slice(index, index + SQL_LIMITS.texts).join('|'));
  return expressions;
}

/** Matches the characters between two words. It accepts combining marks as well, so that no value is missed. */
const SQL_GAP = '[^[:alnum:]]';

function toSqlWords(text: string): string {
  const characters = [...text];
  const start = characters.slice(0, SQL_LIMITS.characters).join('');
  const isWhole = characters.length <= SQL_LIMITS.characters;
  const before = STARTS_SPACELESS.test(text) ? '' : `(?:^|${SQL_GAP})`;
  const after = isWhole && !ENDS_SPACELESS.test(text) ? '(?![[:alnum:]])' : '';
  return `${before}${start.replace(SPECIAL, '\\$&').replace(/\s+/gu, `${SQL_GAP}+`)}${after}`;
}

/** Matches a character of a word. A combining mark belongs to the letter before it. */
const IN_WORD = '[\\p{L}\\p{N}\\p{M}]';
/** Scripts that put no space between words, or between a name and its title. */
const SPACELESS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const [STARTS_SPACELESS, ENDS_SPACELESS] = [new RegExp(`^[${SPACELESS}]`, 'u'), new RegExp(`[${SPACELESS}]$`, 'u')];

function wholeWords(value: string): string {
  const before = STARTS_SPACELESS.test(value) ? '' : `(?<!${IN_WORD})`;
  const after = ENDS_SPACELESS.test(value) ? '' : `(?!${IN_WORD})`;
  return `${before}${escapedPattern(value)}${after}`;
}

/** Matches the characters that have a meaning in regular expressions. */
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Makes a pattern for a value. The SQL function `fold` turns the Turkish İ into two characters, which no flag of a
 * regular expression equates with İ.
 */
const escapedPattern = (text: string): string =>
  text.replace(SPECIAL, '\\$&').replace(/\s+/gu, '\\s+').replaceAll('i\u0307', '(?:i\u0307|\u0130)');
const escapedHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
