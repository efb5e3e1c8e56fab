import { message } from '@ats/message';
import { findOnly } from './find-only.js';
import { allNames, DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE, type PageOptions } from './limits.js';
import { invalid, type ParameterViolation, quote } from './parameter-violation.js';

/** The requested page, or all violations of the query. Only the latter have the property `violations`. */
export type PageParameters =
  | {
      /** The number of the page. The first page is 1. */
      readonly page: number;
      /** The number of items on a page. */
      readonly perPage: number;
      /** The sealed cursor of a `next` link. Undefined when the query has none. */
      readonly after: string | undefined;
      readonly violations?: undefined;
    }
  | { readonly violations: readonly ParameterViolation[] };

const DECIMAL = /^[1-9]\d*$/;

/** Decoded names and values in the order in which they were sent. */
type Query = readonly (readonly [string, string])[];

/**
 * Reads `page`, `per_page` and `after` from a query.
 * @param query  decoded names and values in the order sent, for example a `URLSearchParams`. Other names are ignored.
 * @param options  the page sizes of the collection, and other names of the parameters
 * @returns the page, or all violations, at most one for each parameter. `page` is from 1 to 2147483647 (default 1).
 *   `perPage` is within the page sizes. `after` is a text of 1 to 2048 characters for `CursorCodec` (default
 *   undefined). Violations are numbers that are not plain decimals (sign, space, fraction, exponent, leading zero),
 *   values that are out of range, empty or too long, and parameters that are given more than once, even with the same
 *   value. Never throws.
 * Source: docs/reference/paging.md.
 */
export function parsePageParameters(
  query: Iterable<readonly [string, string]>,
  { defaultPerPage = DEFAULT_PER_PAGE, maxPerPage = MAX_PER_PAGE, names: given }: PageOptions = {},
): PageParameters {
  const pairs = [...query];
  const names = allNames(given);
  const page = parsePositiveInteger(pairs, { parameter: names.page, max: MAX_PAGE, absent: 1 });
  const perPage = parsePositiveInteger(pairs, { parameter: names.perPage, max: maxPerPage, absent: defaultPerPage });
  const after = parseCursorText(pairs, names.after);
  if (typeof page === 'number' && typeof perPage === 'number' && typeof after !== 'object')
    return { page, perPage, after };
  return { violations: [page, perPage, after].filter((result) => typeof result === 'object') };
}

interface IntegerRule {
  readonly parameter: string;
  readonly max: number;
  readonly absent: number;
}

function parsePositiveInteger(query: Query, { parameter, max, absent }: IntegerRule): number | ParameterViolation {
  const text = findOnly(query, parameter);
  if (text === undefined) return absent;
  if (typeof text === 'object') return text;
  const value = DECIMAL.test(text) ? Number(text) : NaN;
  return value <= max ? value : invalid(parameter, message`expected an integer from 1 to ${max}, found ${quote(text)}`);
}

function parseCursorText(query: Query, parameter: string): string | undefined | ParameterViolation {
  const text = findOnly(query, parameter);
  if (typeof text !== 'string') return text;
  if (text !== '' && text.length <= MAX_CURSOR_LENGTH) return text;
  return invalid(
    parameter,
    message`expected a cursor of 1 to ${MAX_CURSOR_LENGTH} characters, found ${text.length}: ${quote(text)}`,
  );
}
