import { message } from '@ats/message';
import { invalid, type ParameterFault, quote } from './parameter-fault.js';

const QUOTED_TEXTS = 3;

/**
 * Finds the text of a parameter that may be given once.
 * @param query decoded names and values in the order sent, for example a `URLSearchParams`
 * @returns the text, undefined when the parameter is not there, or a fault when it is there more than once, were it with
 *   the same text; the fault quotes the first three. Tell them apart by `typeof`.
 * Source: CONTRACT.md 4.
 */
export function findOnly(
  query: Iterable<readonly [string, string]>,
  parameter: string,
): string | undefined | ParameterFault {
  const texts = [...query].filter(([name]) => name === parameter).map(([, value]) => value);
  if (texts.length <= 1) return texts[0];
  const quoted = [...texts.slice(0, QUOTED_TEXTS).map(quote), ...(texts.length > QUOTED_TEXTS ? ['…'] : [])];
  return invalid(parameter, message`expected once, found ${texts.length} times: ${quoted}`);
}
