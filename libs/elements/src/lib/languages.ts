/** The code of a language of the product. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'ar';

/** The languages of the product, with their names. Source: docs/reference/languages.md. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
};

type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;
/** The texts of all languages. Each language must have the keys of the English texts; a missing one is a type error. */
export type Catalogue<English extends Texts> = Readonly<Record<Language, Readonly<Record<keyof English, string>>>>;

/** True for the code of a language that the product speaks. */
export const isLanguage = (text: string | null | undefined): text is Language => Object.hasOwn(LANGUAGES, text ?? '');

/** Returns the language of a tag such as `de-AT`, or English. */
export function languageOf(tag: string | null | undefined): Language {
  const code = tag?.split('-', 1)[0];
  return isLanguage(code) ? code : 'en';
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** Keeps the order of the characters of a value, such as an expression, inside a text from right to left. */
const isolated = (language: Language, text: string): string =>
  directionOf(language) === 'rtl' ? `\u2068${text}\u2069` : text;

/** Replaces `{name}` in a text of the language by the value of that name. Numbers are formatted. */
export const fillText = (language: Language, text: string, values: Values = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? formatNumber(language, value) : isolated(language, value);
  });

/** Returns the function that reads a catalogue: `t('en', 'found', { count: 3 })` for `{count} found`. */
export const textsOf =
  <English extends Texts>(catalogue: Catalogue<English> & { readonly en: English }) =>
  (language: Language, key: keyof English, values: Values = {}): string =>
    fillText(language, catalogue[language][key], values);

/**
 * Formatters by language and options. They are cached, because making one takes longer than rendering a row of a table.
 */
const numberFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function remembered<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make();
  formats.set(key, known);
  return known;
}

export const formatNumber = (language: Language, value: number, options: Intl.NumberFormatOptions = {}): string =>
  remembered(
    numberFormats,
    `${language} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(language, options),
  ).format(value);

const MEDIUM: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

/** Formats a time in the time zone of the browser. */
export const formatTime = (language: Language, time: string | Date, options = MEDIUM): string =>
  remembered(
    timeFormats,
    `${language} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(language, options),
  ).format(new Date(time));
