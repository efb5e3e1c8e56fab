import { InvalidOptionError, MalformedSignatureError } from './errors.js';

/**
 * The headers of a received request: an object such as Node's `request.headers`, with names in upper or lower case, or
 * an object with a `get` method such as the `Headers` of `fetch`.
 */
export type ReceivedHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get(name: string): string | null };

/**
 * Maximum length of a header value, so that hostile text costs little. A header of `sign` has 85 characters, and one of
 * Standard Webhooks about 50 for each signature.
 */
const MAX_HEADER_LENGTH = 1024;

/**
 * Returns the value of a header without spaces and tabs around it (RFC 9110 5.5).
 * @param name  name of the header in lower case
 * @returns undefined when the header is absent
 * @throws {MalformedSignatureError} when the header is given twice, is too long or is not a text
 */
export function findHeader(headers: ReceivedHeaders, name: string): string | undefined {
  const values = valuesOf(headers, name);
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length === 1 && typeof value === 'string' && value.length <= MAX_HEADER_LENGTH)
    return value.replace(/^[ \t]+|[ \t]+$/g, '');
  throw new MalformedSignatureError(name, `one text of at most ${MAX_HEADER_LENGTH} characters`);
}

/** Returns the unchecked values of a header. A JavaScript program may have passed anything. */
function valuesOf(headers: object, name: string): readonly unknown[] {
  if (typeof headers !== 'object' || headers === null)
    throw new InvalidOptionError('headers', 'the headers of the request');
  if ('get' in headers && typeof headers.get === 'function') return [(headers as Headers).get(name) ?? undefined];
  return Object.entries(headers).flatMap(([key, value]: [string, unknown]) =>
    key.toLowerCase() === name ? (value ?? []) : [],
  );
}

/** Matches the name of a header (RFC 9110 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Returns the name of a header in lower case.
 * @throws {InvalidOptionError} when the option is not the name of a header
 */
export function toHeaderName(option: string, name: unknown): string {
  if (typeof name === 'string' && HEADER_NAME.test(name)) return name.toLowerCase();
  throw new InvalidOptionError(option, 'the name of a header');
}
