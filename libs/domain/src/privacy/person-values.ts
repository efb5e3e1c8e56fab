import { runStatement, type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { candidate, user } from '../objects/user.model.js';
import { tableOf } from '../reading/representation-sql.js';
import { type Attribute } from '../vocabulary/attribute.js';
import { type TextContent } from '../vocabulary/attribute-options.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { identifyingTexts } from './identifying-texts.js';

/** Minimum length of a value that is searched for. Shorter values occur too often in other words or abbreviations. */
const MIN_LENGTH = 3;

/**
 * Limits that keep SQL expressions small: the number of characters of a value that are compared, and the number of
 * texts in one expression.
 */
const SQL_LIMITS = { characters: 100, texts: 50 } as const;

/**
 * The values in the form that SQL compares with folded texts. They match every text with a value, and few other texts.
 */
export interface SqlValues {
  /** Patterns for `LIKE`, which can use indexes. They also match within words. */
  readonly patterns: readonly string[];
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
    const patterns = [...new Set(values.flatMap(storedForms))].map(toPattern);
    return { patterns, words: sqlWords(values), strongWords: sqlWords(values.filter(isStrong)) };
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

/** Returns the forms that a value can have in plain texts, in JSON and in HTML. */
const storedForms = (value: string): readonly string[] =>
  formsOf(value).flatMap((form) => [form, JSON.stringify(form).slice(1, -1), escapedHtml(form)]);

/** Makes a pattern for `LIKE`. It accepts any white space between two words, such as a line break. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&').replace(/\s+/gu, '%')}%`;

/** Makes regular expressions for PostgreSQL. They match the texts that contain one of the values. */
function sqlWords(values: readonly string[]): readonly string[] {
  const texts = [...new Set(values.flatMap(storedForms))].map(toSqlWords);
  const expressions: string[] = [];
  for (let index = 0; index < texts.length; index += SQL_LIMITS.texts)
    expressions.push(texts.slice(index, index + SQL_LIMITS.texts).join('|'));
  return expressions;
}

/**
 * Matches the characters between two words, including the escapes of JSON. It accepts combining marks as well, so that
 * no value is missed.
 */
const SQL_GAP = '(?:[^[:alnum:]]|\\\\[bfnrt]|\\\\u[0-9a-f]{4})';

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

/**
 * Reads the values that identify a person and no other user. A value that other users share, such as a common first
 * name, is left out. Call this function before the person's data is removed.
 */
export async function readPersonValues(
  transaction: Transaction,
  person: ObjectType,
  id: number,
): Promise<PersonValues> {
  const rows = await runStatement<{ value: string }>(
    transaction,
    `SELECT DISTINCT fold(btrim(text)) AS value FROM (${identifyingTexts(person)}) t WHERE length(btrim(text)) >= $2`,
    [id, MIN_LENGTH],
  );
  const own = rows.map(({ value }) => value);
  if (own.length === 0) return new PersonValues([]);
  const others = await runStatement<{ value: string }>(transaction, valuesOfOthers(), [
    id,
    own,
    new PersonValues(own).sql.patterns,
  ]);
  const ambiguous = new Set(others.map(({ value }) => value));
  return new PersonValues(own.filter((value) => !ambiguous.has(value)));
}

/**
 * SQL that returns the folded values that another user than `$1` has, too. `$2` has the values, and `$3` their
 * patterns.
 */
function valuesOfOthers(): string {
  const elements = Object.values(candidate.relations).flatMap(({ many, target, foreignKey }) =>
    many && foreignKey ? selects(getObjectType(target), foreignKey) : [],
  );
  const own = Object.entries(candidate.attributes).filter(([name]) => !(name in user.attributes));
  return [...selects(user, 'id'), ...selects(candidate, 'id', Object.fromEntries(own)), ...elements].join(
    ' UNION ALL ',
  );
}

/** Returns one SELECT for each identifying attribute of a type. */
function selects(type: ObjectType, key: string, attributes: ObjectType['attributes'] = type.attributes): string[] {
  const folded = Object.values(type.attributes).find(({ foldedSql }) => foldedSql);
  return Object.values(attributes)
    .filter(({ identifying }) => identifying)
    .map((attribute) => {
      const value = attribute.foldedSql?.('t') ?? `fold(${attribute.sql('t', {})})`;
      return `SELECT ${value} AS value FROM ${tableOf(type)} t
        WHERE t.${key} <> $1 AND ${narrowing(type, attribute, folded)} AND ${value} = ANY($2)`;
    });
}

/** Returns a further condition that every row with one of the values meets. PostgreSQL can use an index for it. */
function narrowing(type: ObjectType, attribute: Attribute, folded: Attribute | undefined): string {
  if (!attribute.column && folded?.foldedSql) return `${folded.foldedSql('t')} = ANY($2)`;
  if (attribute.foldedSql || !type.searchText) return 'true';
  return `${type.searchText.sql('t')} LIKE ANY($3)`;
}
