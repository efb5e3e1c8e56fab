import { message } from '@ats/message';
import { invalid, type ParameterViolation, quote } from './parameter-violation.js';

const QUOTED_TEXTS = 3;

/**
 * Finds the value of a parameter that may be given only once.
 * @param query  decoded names and values in the order sent, for example a `URLSearchParams`
 * @returns the value, undefined when the parameter is absent, or a violation when it is given more than once, even
 *   with the same value. The violation quotes the first three values. Use `typeof` to distinguish the three results.
 * Source: docs/reference/search.md.
 */
export function findOnly(
  query: Iterable<readonly [string, string]>,
  parameter: string,
): string | undefined | ParameterViolation {
  const texts = [...query].filter(([name]) => name === parameter).map(([, value]) => value);
  if (texts.length <= 1) return texts[0];
  const quoted = [...texts.slice(0, QUOTED_TEXTS).map(quote), ...(texts.length > QUOTED_TEXTS ? ['…'] : [])];
  return invalid(parameter, message`expected the parameter once, found ${texts.length} times: ${quoted}`);
}
