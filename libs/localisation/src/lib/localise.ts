import { Message, type MessageValue } from '@ats/message';
import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGUES, type CatalogueLanguage } from './catalogues.js';
import { directionOf } from './direction.js';

/** Compiled patterns. Their number is bounded, because patterns come from the code and never from a client. */
const FORMATS = new Map<string, IntlMessageFormat>();

/** Separators of lists within a sentence. */
const COMMAS: Readonly<Record<CatalogueLanguage, string>> = { en: ', ', de: ', ', fr: ', ', es: ', ', ar: '، ' };

/**
 * Translates a message. A message without a translation stays English.
 * Source: docs/reference/languages.md.
 */
export function localise(message: Message, language: CatalogueLanguage): string {
  const pattern = CATALOGUES[language][message.pattern];
  if (pattern === undefined && language === 'en') return legible(String(message));
  const format = formatOf(pattern ?? message.pattern, pattern === undefined ? 'en' : language);
  const values = message.values.map((value) => textOf(value, language));
  return String(format.format(Object.fromEntries(values.entries())));
}

/** Numbers stay numbers, because they choose between singular and plural. */
function textOf(value: MessageValue, language: CatalogueLanguage): string | number {
  if (value instanceof Message) return localise(value, language);
  if (typeof value === 'object') return value.map((one) => String(textOf(one, language))).join(COMMAS[language]);
  if (typeof value === 'number' && value >= 0) return value;
  const text = legible(String(value));
  return directionOf(language) === 'ltr' ? text : isolated(text);
}

/** Characters that change the direction of the text after them. A client must not control that. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const legible = (text: string): string =>
  text.replaceAll(TURNING, (character) => `U+${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Isolates the direction of a value. Otherwise the text around it would reorder signs, brackets and dates. */
const isolated = (value: string): string => `\u2068${value}\u2069`;

function formatOf(pattern: string, language: CatalogueLanguage): IntlMessageFormat {
  const key = `${language} ${pattern}`;
  // Tags are plain text, because values and patterns may contain "<".
  const format = FORMATS.get(key) ?? new IntlMessageFormat(pattern, language, undefined, { ignoreTag: true });
  FORMATS.set(key, format);
  return format;
}
