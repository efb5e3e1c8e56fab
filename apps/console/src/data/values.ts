import { formatNumber, formatTime } from '../app/i18n.js';
import { type Kind } from './columns.js';
import { valueLabel } from './translations.js';

const SHORT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
/** `Date` reads a date without a time as midnight in UTC, so dates are formatted in UTC. */
const DATE: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' };

/** The properties that name a related object. The best comes first. */
const NAMES = ['fullname', 'title', 'name', 'label', 'code', 'reference', 'email', 'subject', 'state'];

/**
 * Returns a JSON value as text. A scalar is written as it is, an object or a list as JSON, and a missing value as an
 * empty text.
 */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** Returns the value of a property as one line of text, in the language of the page. */
export function textOf(value: unknown, kind: Kind, property: string): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value
      .map((element) => textOf(element, typeof element === 'number' ? 'integer' : 'text', property))
      .join(', ');
  if (typeof value === 'object') return nameOf(value as Readonly<Record<string, unknown>>);
  if (typeof value === 'number' && kind !== 'integer') return formatNumber(value);
  if (typeof value === 'string' && (kind === 'datetime' || kind === 'date') && !Number.isNaN(Date.parse(value)))
    return formatTime(value, kind === 'date' ? DATE : SHORT);
  return typeof value === 'string' ? valueLabel(property, value) : scalarText(value);
}

/** Returns the name of a related object, or its id when it has no name. */
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
