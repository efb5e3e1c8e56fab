import {
  type Catalogue,
  directionOf,
  fillText,
  formatNumber as formatNumberIn,
  formatTime as formatTimeIn,
  isLanguage,
  type Language,
  textsOf,
} from '@ats/elements/parts';

export { isLanguage, type Language, LANGUAGES } from '@ats/elements/parts';

type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

const STORED = 'ats-console-language';

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
  document.documentElement.dir = directionOf(current);
}

export const language = (): Language => current;

export function setLanguage(next: Language): void {
  current = next;
  localStorage.setItem(STORED, next);
  showLanguage();
  languageChanges.dispatchEvent(new Event('change'));
}

/** Returns the function that reads the texts of one area: `t('found', { count: 3 })` for `{count} found`. */
export function texts<English extends Texts>(
  catalogue: Catalogue<English> & { readonly en: English },
): (key: keyof English, values?: Values) => string {
  const read = textsOf(catalogue);
  return (key, values) => read(current, key, values);
}

/**
 * Returns the function that reads the texts of one area. The argument maps the name of each text to the text in all
 * languages. A missing language is a type error.
 */
export function textsByName<All extends Readonly<Record<string, Readonly<Record<Language, string>>>>>(
  all: All,
): (key: keyof All, values?: Values) => string {
  return (key, values) => fillText(current, (all[key] as All[keyof All])[current], values);
}

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  formatNumberIn(current, value, options);

export const formatPercent = (share: number): string =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: 1 });

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes with its unit, such as `1.2 MB`. */
export function formatSize(bytes: number): string {
  // Rounding comes first, because it may lead to the next unit: 999,600 bytes are 1 MB.
  const rounded = Number(bytes.toPrecision(3));
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, rounded)) / 3));
  const unit = SIZES[power] ?? 'byte';
  return formatNumber(rounded / 1_000 ** power, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  });
}

/** Formats a time in the time zone of the browser. */
export const formatTime = (time: string | Date, options?: Intl.DateTimeFormatOptions): string =>
  formatTimeIn(current, time, options);
