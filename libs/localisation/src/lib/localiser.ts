import { Message, type MessageValue } from '@ats/message';
import { IntlMessageFormat } from 'intl-messageformat';
import { commaOf, directionOf, primaryOf } from './direction.js';

/** Maps the English pattern of a message to its translation in the ICU message format. */
export type Catalogue = Readonly<Record<string, string>>;

/** Translates messages with the catalogues of a program. */
export interface Localiser<Language extends string = string> {
  /** The languages that have a catalogue. English needs none. */
  readonly languages: readonly Language[];
  /**
   * Translates a message. `de-AT` uses the catalogue of `de` when there is no catalogue for `de-AT`. The English text
   * is returned when the message has no translation or the language has no catalogue.
   */
  readonly localise: (message: Message, language: string) => string;
}

/**
 * Creates a localiser. Catalogues must come from the program, never from a client, because their patterns are compiled
 * and kept.
 * @param catalogues  maps language tags such as `de` to their catalogues
 * @throws {RangeError} when the name of a catalogue is not a language tag
 */
export function createLocaliser<Language extends string>(
  catalogues: Readonly<Record<Language, Catalogue>>,
): Localiser<Language> {
  const languages = Object.keys(catalogues) as Language[];
  Intl.getCanonicalLocales(languages); // `getCanonicalLocales` throws when a name is not a language tag.
  const known = new Map<string, Catalogue>(Object.entries(catalogues));
  const formats = new Map<string, IntlMessageFormat>();

  function localise(message: Message, language: string): string {
    const found = [language, primaryOf(language)].find((tag) => known.has(tag)) ?? 'en';
    const pattern = translationIn(known.get(found), message.pattern);
    if (pattern === undefined && found === 'en') return legible(String(message));
    const format = formatOf(pattern ?? message.pattern, pattern === undefined ? 'en' : found);
    const values = message.values.map((value) => textOf(value, found));
    return String(format.format(Object.fromEntries(values.entries())));
  }

  /** Converts a value for the ICU format. A number stays a number, because it chooses between singular and plural. */
  function textOf(value: MessageValue, language: string): string | number {
    if (value instanceof Message) return localise(value, language);
    if (typeof value === 'object') return value.map((one) => String(textOf(one, language))).join(commaOf(language));
    if (typeof value === 'number' && value >= 0) return value;
    const text = legible(String(value));
    return directionOf(language) === 'ltr' ? text : isolated(text);
  }

  function formatOf(pattern: string, language: string): IntlMessageFormat {
    const key = `${language} ${pattern}`;
    // Tags are read as plain text, because values and patterns may contain "<".
    const format = formats.get(key) ?? new IntlMessageFormat(pattern, language, undefined, { ignoreTag: true });
    formats.set(key, format);
    return format;
  }

  return { languages, localise };
}

const translationIn = (catalogue: Catalogue | undefined, pattern: string): string | undefined =>
  catalogue !== undefined && Object.hasOwn(catalogue, pattern) ? catalogue[pattern] : undefined;

/** Matches characters that change the direction of the text after them. Texts of clients must not have this effect. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const legible = (text: string): string =>
  text.replaceAll(TURNING, (character) => `U+${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Isolates the direction of a value. Otherwise the surrounding text could change the order of its signs, brackets and
 * dates.
 */
const isolated = (value: string): string => `\u2068${value}\u2069`;
