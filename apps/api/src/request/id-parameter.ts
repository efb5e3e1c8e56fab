import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';

/** Names an item by its id: the id, or what is wrong with it. */
export type IdParameter =
  | { readonly id: number; readonly fault?: undefined }
  | { readonly fault: Message; readonly id?: undefined };

const ID = /^(?:0|[1-9]\d{0,15})$/;

export interface IdOptions {
  /** 0 where a client reads on from the beginning: no item has it. 1 unless told. */
  readonly least?: 0 | 1;
  /** What is wrong with a text that is none. */
  readonly fault?: (found: string) => Message;
}

/** Reads a parameter that names an item by its id; undefined when it is not there. It may be given once. */
export function readIdParameter(
  parameters: URLSearchParams,
  name: string,
  { least = 1, fault = noId }: IdOptions = {},
): IdParameter | undefined {
  const text = findOnly(parameters, name);
  if (text === undefined) return undefined;
  if (typeof text === 'object') return { fault: text.info };
  const id = ID.test(text) ? Number(text) : NaN;
  return id >= least && Number.isSafeInteger(id) ? { id } : { fault: fault(quote(text)) };
}

const noId = (found: string): Message => message`expected an id, found ${found}`;
