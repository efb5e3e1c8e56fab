import { isLanguage, type Language, LANGUAGES, language } from '../app/i18n.js';
import { translatedTitle } from './collection-titles.js';
import { labelOf } from './columns.js';

/** The content of `translations/<language>.json`. */
interface Translations {
  /** Maps the name of a property and a value of its closed list to the label of the value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Maps the English first sentences of each API description to their translation. */
  readonly descriptions: Readonly<Record<string, string>>;
}

const loaded = new Map<Language, Translations>();

/** Loads the texts of the present language. Catalogue and columns wait for it, so that views have the texts. */
export async function loadTranslations(): Promise<void> {
  const code = language();
  if (loaded.has(code)) return;
  loaded.set(code, ((await import(`./translations/${code}.json`)) as { default: Translations }).default);
}

/** Returns the label of a value of a closed list. Another value is its own label. */
export function valueLabel(property: string, value: string): string {
  if (property === 'resource' || property === 'collection') return translatedTitle(value, labelOf(value));
  if (/language/.test(property) && isLanguage(value)) return LANGUAGES[value];
  return loaded.get(language())?.values[property]?.[value] ?? value;
}

/** Returns a description of the API in the language of the page. Undefined when there is only the English text. */
export const translatedDescription = (english: string): string | undefined =>
  loaded.get(language())?.descriptions[english.replaceAll('\n', ' ')];
