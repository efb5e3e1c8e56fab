import { InvalidOptionError, MalformedSignatureError } from './errors.js';

/**
 * The headers of a received request: an object as Node's `request.headers`, its names in upper or lower case, or anything
 * with a `get` like that of the `Headers` of `fetch`.
 */
export type ReceivedHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get(name: string): string | null };

/** A longer value is not read, so hostile text costs little; ours have 85 characters, or some 50 for each signature. */
const MAX_HEADER_LENGTH = 1024;

/**
 * The value of a header, without the spaces and tabs around it, which are no part of it (RFC 9110 5.5); undefined when it
 * is not there.
 * @param name in lower case
 * @throws {MalformedSignatureError} when it is there twice, too long or no text
 */
export function findHeader(headers: ReceivedHeaders, name: string): string | undefined {
  const values = valuesOf(headers, name);
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length === 1 && typeof value === 'string' && value.length <= MAX_HEADER_LENGTH)
    return value.replace(/^[ \t]+|[ \t]+$/g, '');
  throw new MalformedSignatureError(name, `one text of at most ${MAX_HEADER_LENGTH} characters`);
}

/** Unchecked: who calls from JavaScript may give anything. */
function valuesOf(headers: object, name: string): readonly unknown[] {
  if (typeof headers !== 'object' || headers === null)
    throw new InvalidOptionError('headers', 'the headers of the request');
  if ('get' in headers && typeof headers.get === 'function') return [(headers as Headers).get(name) ?? undefined];
  return Object.entries(headers).flatMap(([key, value]: [string, unknown]) =>
    key.toLowerCase() === name ? (value ?? []) : [],
  );
}
