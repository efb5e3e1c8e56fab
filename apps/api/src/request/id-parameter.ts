import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';

/** The value of an id parameter: the id, or the text of the violation when the value is no id. */
export type IdParameter =
  | { readonly id: number; readonly violation?: undefined }
  | { readonly violation: Message; readonly id?: undefined };

const ID = /^(?:0|[1-9]\d{0,15})$/;

export interface IdOptions {
  /** The smallest accepted id. Defaults to 1. Feeds accept 0, which no item has, to read from the beginning. */
  readonly least?: 0 | 1;
  /** Makes the text of the violation from the quoted value. By default the text is "expected an id, found ...". */
  readonly violation?: (found: string) => Message;
}

/**
 * Reads a parameter that contains the id of an item. A repeated parameter is invalid.
 * @returns undefined when the parameter is absent
 */
export function readIdParameter(
  parameters: URLSearchParams,
  name: string,
  { least = 1, violation = invalidIdMessage }: IdOptions = {},
): IdParameter | undefined {
  const text = findOnly(parameters, name);
  if (text === undefined) return undefined;
  if (typeof text === 'object') return { violation: text.message };
  const id = ID.test(text) ? Number(text) : NaN;
  return id >= least && Number.isSafeInteger(id) ? { id } : { violation: violation(quote(text)) };
}

const invalidIdMessage = (found: string): Message => message`expected an id, found ${found}`;
