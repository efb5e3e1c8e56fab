import { findOnly, quote } from '@ats/pagination';

/** Names an item by its id: the id, or what is wrong with it. */
export type IdParameter = { readonly id: number; readonly fault?: undefined } | { readonly fault: string; readonly id?: undefined };

const ID = /^(?:0|[1-9]\d{0,15})$/;

/**
 * Reads a parameter that names an item by its id; undefined when it is not there. It may be given once.
 * @param least  0 where a client reads on from the beginning: no item has it
 */
export function readIdParameter(parameters: URLSearchParams, name: string, least: 0 | 1 = 1): IdParameter | undefined {
  const text = findOnly(parameters, name);
  if (text === undefined) return undefined;
  if (typeof text === 'object') return { fault: text.info };
  const id = ID.test(text) ? Number(text) : NaN;
  return id >= least && Number.isSafeInteger(id) ? { id } : { fault: `expected an id, found ${quote(text)}` };
}
