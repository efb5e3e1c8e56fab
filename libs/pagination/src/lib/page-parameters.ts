import { message } from '@ats/message';
import { findOnly } from './find-only.js';
import { DEFAULT_PER_PAGE, MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from './limits.js';
import { invalid, type ParameterFault, quote } from './parameter-fault.js';

/** The page asked for, or every fault of the query; tell them apart by `faults`. */
export type PageParameters =
  | {
      readonly page: number;
      readonly perPage: number;
      /** The cursor of a `next` link, still sealed; undefined when the query has none. */
      readonly after: string | undefined;
      readonly faults?: undefined;
    }
  | { readonly faults: readonly ParameterFault[] };

const DECIMAL = /^[1-9]\d*$/;

/** Decoded names and values in the order sent. */
type Query = readonly (readonly [string, string])[];

/**
 * Reads `page`, `per_page` and `after` from a query.
 * @param query decoded names and values in the order sent, for example a `URLSearchParams`; other names are passed over
 * @returns `page` from 1 to 2147483647 (default 1), `perPage` from 1 to 1000 (default 100) and `after`, a text of 1 to 2048
 *   characters for `CursorCodec` (default undefined); or all faults together, at most one per parameter: not a plain
 *   decimal number (no sign, space, fraction, exponent or leading zero), out of range, empty, too long, or given more than
 *   once, were it with the same value. It does not throw.
 * Source: SPEC.md 4.1 and 8; CONTRACT.md 4 and 11, Links.
 */
export function parsePageParameters(query: Iterable<readonly [string, string]>): PageParameters {
  const pairs = [...query];
  const page = parsePositiveInteger(pairs, { parameter: 'page', max: MAX_PAGE, absent: 1 });
  const perPage = parsePositiveInteger(pairs, { parameter: 'per_page', max: MAX_PER_PAGE, absent: DEFAULT_PER_PAGE });
  const after = parseCursorText(pairs);
  if (typeof page === 'number' && typeof perPage === 'number' && typeof after !== 'object')
    return { page, perPage, after };
  return { faults: [page, perPage, after].filter((result) => typeof result === 'object') };
}

interface IntegerRule {
  readonly parameter: 'page' | 'per_page';
  readonly max: number;
  readonly absent: number;
}

function parsePositiveInteger(query: Query, { parameter, max, absent }: IntegerRule): number | ParameterFault {
  const text = findOnly(query, parameter);
  if (text === undefined) return absent;
  if (typeof text === 'object') return text;
  const value = DECIMAL.test(text) ? Number(text) : NaN;
  return value <= max ? value : invalid(parameter, message`expected an integer from 1 to ${max}, found ${quote(text)}`);
}

function parseCursorText(query: Query): string | undefined | ParameterFault {
  const text = findOnly(query, 'after');
  if (typeof text !== 'string') return text;
  if (text !== '' && text.length <= MAX_CURSOR_LENGTH) return text;
  return invalid(
    'after',
    message`expected a cursor of 1 to ${MAX_CURSOR_LENGTH} characters, found ${text.length}: ${quote(text)}`,
  );
}
