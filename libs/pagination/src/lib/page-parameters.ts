import { DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from './limits.js';

/** One thing wrong with the query, for the client that sent it. */
export interface ParameterFault {
  readonly parameter: 'page' | 'per_page';
  readonly code: 'invalid';
  /** What was expected and what was found, in English, the found text in quotation marks and cut to a sane length. */
  readonly info: string;
}

/** The page asked for, or every fault of the query; tell them apart by `faults`. */
export type PageParameters =
  | { readonly page: number; readonly perPage: number; readonly faults?: undefined }
  | { readonly faults: readonly ParameterFault[] };

const DECIMAL = /^[1-9]\d*$/;
/** What a fault quotes at most, so that hostile text does not fill the answer. */
const QUOTED_CHARACTERS = 40;
const QUOTED_TEXTS = 3;

/**
 * Reads `page` and `per_page` from a query.
 * @param query decoded names and values in the order sent, for example a `URLSearchParams`; other names are passed over
 * @returns `page` from 1 to 2147483647 (default 1) and `perPage` from 1 to 1000 (default 100), or all faults together,
 *   at most one per parameter: not a plain decimal number (no sign, space, fraction, exponent or leading zero), out of
 *   range, or given more than once, were it with the same value. It does not throw.
 * Source: SPEC.md 4.1 and 8; CONTRACT.md 4 and 11, Links.
 */
export function parsePageParameters(query: Iterable<readonly [string, string]>): PageParameters {
  const pairs = [...query];
  const page = parsePositiveInteger(pairs, { parameter: 'page', max: MAX_PAGE, absent: 1 });
  const perPage = parsePositiveInteger(pairs, { parameter: 'per_page', max: MAX_PER_PAGE, absent: DEFAULT_PER_PAGE });
  if (typeof page === 'number' && typeof perPage === 'number') return { page, perPage };
  return { faults: [page, perPage].filter((result) => typeof result !== 'number') };
}

interface IntegerRule {
  readonly parameter: ParameterFault['parameter'];
  readonly max: number;
  readonly absent: number;
}

function parsePositiveInteger(
  query: readonly (readonly [string, string])[],
  { parameter, max, absent }: IntegerRule,
): number | ParameterFault {
  const texts = query.filter(([name]) => name === parameter).map(([, value]) => value);
  const [text] = texts;
  if (text === undefined) return absent;
  if (texts.length > 1) {
    const quoted = [...texts.slice(0, QUOTED_TEXTS).map(quote), ...(texts.length > QUOTED_TEXTS ? ['…'] : [])];
    return { parameter, code: 'invalid', info: `expected once, found ${texts.length} times: ${quoted.join(', ')}` };
  }
  const value = DECIMAL.test(text) ? Number(text) : NaN;
  if (value <= max) return value;
  return { parameter, code: 'invalid', info: `expected an integer from 1 to ${max}, found ${quote(text)}` };
}

function quote(text: string): string {
  const characters = [...text];
  const isCut = characters.length > QUOTED_CHARACTERS;
  return JSON.stringify(isCut ? `${characters.slice(0, QUOTED_CHARACTERS).join('')}…` : text);
}
