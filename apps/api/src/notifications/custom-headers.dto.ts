import { optionalProperty } from '@ats/domain';
import { message, type Message, packed } from '@ats/message';
import { z } from 'zod';
import { isJsonObject } from '../vocabulary/merge-patch.js';

const MAX_HEADERS = 20;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 1_024;
/** Maximum length of all names and values together. Many servers accept at most 8 KiB of headers. */
const MAX_LENGTH = 4_096;

/** The characters of a `token` in RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/**
 * Visible ASCII characters with spaces between them. Other characters could end the header, or servers could read them
 * differently.
 */
const VALUE = /^[!-~]+(?: +[!-~]+)*$/;

/** Headers that every message has or may have. Clients cannot set them. */
const OF_SERVICE =
  /^(?:accept-encoding|date|user-agent|traceparent|tracestate|baggage|(?:content|webhook|x-service-notify)-.*)$/;
/**
 * Headers that concern the connection, its proxies or a browser. Clients cannot set them. Neither can they set
 * `__proto__`, because a JSON body cannot have this name.
 */
const OF_CONNECTION = new RegExp(
  '^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|expect|cookie2?|set-cookie2?|' +
    'forwarded|via|max-forwards|x-real-ip|__proto__|(?:proxy|sec|x-forwarded|x-http-method|access-control)-.*)$|^:',
);

/** Returns the reason why clients cannot set a header. @param name  in lower case */
function refusalOfName(name: string): Message | undefined {
  if (OF_SERVICE.test(name)) return message`the service sets this header itself`;
  if (OF_CONNECTION.test(name)) return message`this header belongs to the connection and cannot be set`;
  if (name.length <= MAX_NAME_LENGTH && NAME.test(name)) return undefined;
  return message`expected the name of a header: 1 to ${MAX_NAME_LENGTH} letters, digits or any of ${NAME_MARKS}`;
}

const NAME_MARKS = "!#$%&'*+-.^_`|~";

const isValidValue = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && VALUE.test(value));

const lengthOf = (headers: Readonly<Record<string, unknown>>): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.length : 0),
    0,
  );

const customHeaders = z
  .record(z.string(), z.unknown().meta({ type: ['string', 'null'], maxLength: MAX_VALUE_LENGTH }))
  .superRefine((headers, context) => {
    const add = (text: Message, ...path: readonly string[]): void =>
      context.addIssue({ code: 'custom', path: [...path], message: packed(text) });
    const entries = Object.entries(headers);
    if (entries.length > MAX_HEADERS) return add(message`expected at most ${MAX_HEADERS} headers`);
    if (lengthOf(headers) > MAX_LENGTH)
      add(message`expected at most ${MAX_LENGTH} characters in all names and values together`);
    const seen = new Set<string>();
    for (const [given, value] of entries) {
      const name = given.toLowerCase();
      const refusal = refusalOfName(name);
      if (refusal) add(refusal, given);
      else if (seen.has(name))
        add(message`the same header appears twice; header names ignore upper and lower case`, given);
      else if (!isValidValue(value))
        add(message`expected 1 to ${MAX_VALUE_LENGTH} visible ASCII characters, and spaces only between them`, given);
      seen.add(name);
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

/** The schema of `custom_headers` in bodies. Its output has names in lower case. */
export const customHeadersSchema = optionalProperty(customHeaders).describe(
  'Headers that every message and test message gets, such as `{"x-api-key": "…"}`. At most 20. Names are stored in ' +
    'lower case. Values are secrets: like the signing key, they are shown in items to the credential that created ' +
    'the endpoint and with `notifications:admin`, and are null otherwise. Null keeps a value, unless ' +
    '`destination_url` changes. A merge patch removes a header with null. Headers of the service and of the ' +
    'connection cannot be set.',
);

/**
 * Returns a merge patch with the names of its headers in lower case, as they are stored. Without this, a patch could
 * not remove `X-Api-Key`. Names that cannot be set stay as they are, for the violations.
 */
export function withStoredNames(patch: unknown): unknown {
  if (!isJsonObject(patch) || !isJsonObject(patch['custom_headers'])) return patch;
  const given = Object.entries(patch['custom_headers']);
  const stored = given.map(([name, value]) => {
    const lower = name.toLowerCase();
    return [refusalOfName(lower) ? name : lower, value] as const;
  });
  const isUnique = new Set(stored.map(([name]) => name)).size === given.length;
  return isUnique ? { ...patch, custom_headers: Object.fromEntries(stored) } : patch;
}

/** Returns the custom headers as a client sees them. @param isReader  true for a credential that may read secrets */
export const shownHeaders = (
  headers: Readonly<Record<string, string>>,
  isReader: boolean,
): Readonly<Record<string, string | null>> =>
  isReader ? headers : Object.fromEntries(Object.keys(headers).map((name) => [name, null]));
