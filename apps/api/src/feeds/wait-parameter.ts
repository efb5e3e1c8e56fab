import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { type QueryParameter } from '../vocabulary/operation.js';

/** Longest time in seconds that a request may wait. */
const MAX_WAIT_SECONDS = 60;

export const WAIT_PARAMETER: QueryParameter = {
  name: 'wait',
  description: 'Seconds to wait when there is nothing new. The answer is sent as soon as there is something.',
  schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
};

/**
 * Reads the parameter `wait`. It defaults to 0.
 * @param refuse receives the text of a violation
 */
export function readWait(query: URLSearchParams, refuse: (info: Message) => void): number {
  return readInteger(query, 'wait', { least: 0, most: MAX_WAIT_SECONDS, otherwise: 0 }, refuse);
}

/**
 * Reads a parameter that is an integer.
 * @param refuse  receives the text of a violation
 */
export function readInteger(
  query: URLSearchParams,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
  refuse: (info: Message) => void,
): number {
  const given = findOnly(query, name);
  if (given === undefined) return otherwise;
  if (typeof given === 'object') {
    refuse(given.message);
    return otherwise;
  }
  const value = /^(?:0|[1-9]\d{0,4})$/.test(given) ? Number(given) : NaN;
  if (value >= least && value <= most) return value;
  refuse(message`expected an integer from ${least} to ${most}, found ${quote(given)}`);
  return otherwise;
}
