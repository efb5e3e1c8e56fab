import { Message, type MessageValue } from '@ats/message';
import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGUES, type CatalogueLanguage } from './catalogues.js';
import { directionOf } from './direction.js';

/** More than there are texts in a catalogue: patterns come from the code, never from a client. */
const FORMATS = new Map<string, IntlMessageFormat>();

/** Of lists inside a sentence. */
const COMMAS: Readonly<Record<CatalogueLanguage, string>> = { en: ', ', de: ', ', fr: ', ', es: ', ', ar: '، ' };

/**
 * A message in a language. What has no translation reads as its English.
 * Source: CONTRACT.md 9, `info` texts and messages are localised.
 */
export function localise(message: Message, language: CatalogueLanguage): string {
  const pattern = CATALOGUES[language][message.pattern];
  if (pattern === undefined && language === 'en') return legible(String(message));
  const format = formatOf(pattern ?? message.pattern, pattern === undefined ? 'en' : language);
  const values = message.values.map((value) => textOf(value, language));
  return String(format.format(Object.fromEntries(values.entries())));
}

/** Numbers stay numbers: they choose between singular and plural. */
function textOf(value: MessageValue, language: CatalogueLanguage): string | number {
  if (value instanceof Message) return localise(value, language);
  if (typeof value === 'object') return value.map((one) => String(textOf(one, language))).join(COMMAS[language]);
  if (typeof value === 'number' && value >= 0) return value;
  const text = legible(String(value));
  return directionOf(language) === 'ltr' ? text : isolated(text);
}

/** What would turn round the text after it: whose direction is whose must not be a client's to say. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const legible = (text: string): string =>
  text.replaceAll(TURNING, (character) => `U+${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Of a direction of its own, whatever stands around it: signs, brackets and dates would be turned round else. */
const isolated = (value: string): string => `\u2068${value}\u2069`;

function formatOf(pattern: string, language: CatalogueLanguage): IntlMessageFormat {
  const key = `${language} ${pattern}`;
  // Tags are text: values and patterns may hold "<".
  const format = FORMATS.get(key) ?? new IntlMessageFormat(pattern, language, undefined, { ignoreTag: true });
  FORMATS.set(key, format);
  return format;
}
