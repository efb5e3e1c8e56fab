/** The languages of the product, with their names. Source: docs/reference/languages.md. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;
/** English texts. The other languages must have the same keys, because a missing text is a type error. */
type Catalogue<English extends Texts> = Readonly<Record<Language, Readonly<Record<keyof English, string>>>>;

const STORED = 'ats-console-language';
const isLanguage = (text: string | null | undefined): text is Language => Object.hasOwn(LANGUAGES, text ?? '');

/** Dispatches `change` when the language changes. */
export const languageChanges = new EventTarget();
let current: Language = 'en';

/**
 * Chooses the stored language, else the first language of the browser that the product supports. The shell calls this
 * function before it shows a view. Importing the module needs no browser.
 */
export function startLanguage(): void {
  const candidates = [localStorage.getItem(STORED), ...navigator.languages.map((tag) => tag.split('-')[0])];
  current = candidates.find(isLanguage) ?? 'en';
  showLanguage();
}

function showLanguage(): void {
  document.documentElement.lang = current;
  document.documentElement.dir = current === 'ar' ? 'rtl' : 'ltr';
}

export const language = (): Language => current;

export function setLanguage(next: Language): void {
  current = next;
  localStorage.setItem(STORED, next);
  showLanguage();
  languageChanges.dispatchEvent(new Event('change'));
}

/** Returns the function that reads the texts of one area: `t('found', { count: 3 })` for `{count} found`. */
export const texts =
  <English extends Texts>(catalogue: Catalogue<English> & { readonly en: English }) =>
  (key: keyof English, values: Values = {}): string =>
    catalogue[current][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      return typeof value === 'number' ? formatNumber(value) : value;
    });

/**
 * Returns the function that reads the texts of one area, grouped by their names. A text that lacks a language is a type
 * error.
 */
export function textsByName<All extends Readonly<Record<string, Readonly<Record<Language, string>>>>>(
  all: All,
): ReturnType<typeof texts<Record<keyof All & string, string>>> {
  const inLanguage = (code: string): readonly [string, Texts] => [
    code,
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text[code as Language]])),
  ];
  return texts(
    Object.fromEntries(Object.keys(LANGUAGES).map(inLanguage)) as Record<Language, Record<keyof All & string, string>>,
  );
}

/**
 * Formatters by language and options. They are cached, because making one takes longer than rendering a row of a table.
 */
const numberFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function remembered<Format>(formats: Map<string, Format>, options: object, make: () => Format): Format {
  const key = `${current} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? make();
  formats.set(key, known);
  return known;
}

export const formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  remembered(numberFormats, options, () => new Intl.NumberFormat(current, options)).format(value);

export const formatPercent = (share: number): string =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: 1 });

const MEDIUM: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

/** Formats a time in the time zone of the browser. */
export const formatTime = (time: string | Date, options = MEDIUM): string =>
  remembered(timeFormats, options, () => new Intl.DateTimeFormat(current, options)).format(new Date(time));
