import { type Kind } from './columns.js';

/** The properties of a related object that name it, the best first. */
const NAMES = ['fullname', 'title', 'name', 'label', 'code', 'reference', 'email', 'state'];

/** A value of JSON as text: a scalar as it is, anything else as JSON, and nothing for a missing value. */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** The value of a property as one line of text, in the language of the page. */
export function textOf(value: unknown, kind: Kind, language: string): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((element) => textOf(element, 'text', language)).join(', ');
  if (typeof value === 'object') return nameOf(value as Readonly<Record<string, unknown>>);
  if (typeof value === 'number' && kind !== 'integer') return new Intl.NumberFormat(language).format(value);
  if (typeof value === 'string' && kind === 'datetime') return moment(value, language);
  return scalarText(value);
}

/** A related object by its name; without one, by its id. */
export function nameOf(value: Readonly<Record<string, unknown>>): string {
  const person = [value['firstname'], value['lastname']].filter((part) => typeof part === 'string' && part !== '');
  if (person.length > 0) return person.join(' ');
  const named = NAMES.map((name) => value[name]).find((name) => typeof name === 'string' && name !== '');
  if (named !== undefined) return scalarText(named);
  if (value['id'] !== undefined) return `#${scalarText(value['id'])}`;
  return Object.values(value)
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ');
}

/** A moment in the time zone of the reader. */
export function moment(text: string, language: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
