import { type WebhookBody } from './body.js';
import { MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { findHeader, type ReceivedHeaders, toHeaderName } from './headers.js';
import { assertKeys, findMatchingKey, hmacSha256 } from './hmac.js';
import { assertClock, assertWithinTolerance, parseTimestamp, toTimestamp } from './time.js';

/** Default name of the header for the value of {@link sign}, in lower case. Source: docs/reference/signing.md. */
export const SIGNATURE_HEADER = 'x-service-notify-signature';

/**
 * Default name of the second header, in lower case. It is sent during a key rotation and has the signature of the new
 * key. Source: docs/reference/signing.md.
 */
export const NEXT_SIGNATURE_HEADER = 'x-service-notify-signature-next';

/** Options of `sign`. */
export interface SignOptions {
  /** The exact body that is sent. Serialise it once, then sign and send the same text or bytes. */
  readonly body: WebhookBody;
  /** The subscription's `signing_key`: the hexadecimal text that clients see. It must never be logged. */
  readonly key: string;
  /** The time of this attempt. Fractions of a second are cut off. */
  readonly sentAt: Date;
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** The raw body as it was received. Parsing it and serialising it again gives another body. */
  readonly body: WebhookBody;
  /** The received headers, such as Node's `request.headers`, with the signature and possibly the next signature. */
  readonly headers: ReceivedHeaders;
  /** The accepted keys. One matching key is enough, so both keys may be given during a rotation. */
  readonly keys: readonly string[];
  /** Maximum accepted difference between `now` and the timestamp, in either direction, inclusive. */
  readonly toleranceSeconds: number;
  /** The time of the verification. */
  readonly now: Date;
  /** Name of the header with the signature. Defaults to {@link SIGNATURE_HEADER}. */
  readonly header?: string;
  /**
   * Name of the header with the signature of the next key. Defaults to the name of the first header with `-next`
   * appended.
   */
  readonly nextHeader?: string;
}

/** A genuine signature. */
export interface VerifiedSignature {
  /** The time at which this attempt was signed. */
  readonly timestamp: Date;
  /** Position in `keys` of the key that made the signature. */
  readonly keyIndex: number;
}

/**
 * Signs one attempt to deliver one notification.
 * @returns header value `<timestamp>,<signature>`: timestamp such as `2026-11-21T09:00:00Z`, signature 64 lowercase
 *   hexadecimal characters, the HMAC-SHA-256 of `<timestamp>.<body>`. The key is used as text, not decoded from
 *   hexadecimal.
 * @throws {EmptySigningKeyError} when `key` is empty
 * @throws {InvalidOptionError} when `sentAt` is not a date in the years 0000 to 9999
 * Source: docs/reference/signing.md.
 */
export function sign({ body, key, sentAt }: SignOptions): string {
  const timestamp = toTimestamp(sentAt);
  return `${timestamp},${toHexSignature(key, timestamp, body)}`;
}

/**
 * Verifies one received notification: first the signatures, in constant time, then the age of the timestamp. One match
 * of any key with either header is enough, so a receiver can replace its key at any time while both signatures are
 * sent.
 * @returns the time of the signature and the key that made it
 * @throws {MalformedSignatureError} when the first header is missing, or either header is given twice or is not
 *   `<timestamp>,<signature>`
 * @throws {SignatureMismatchError} when no key produces a signature
 * @throws {TimestampOutsideToleranceError} when the signature is genuine, but too old or too far in the future
 * @throws {EmptySigningKeyError} when `keys` is empty or contains an empty key
 * @throws {InvalidOptionError} when the body was parsed, a key is not a text, `now` is not a date, the tolerance is
 *   negative or not a number, or the name of a header is invalid
 * Source: docs/reference/signing.md.
 */
export function verify(options: VerifyOptions): VerifiedSignature {
  const { body, headers, keys, toleranceSeconds, now, header = SIGNATURE_HEADER } = options;
  const { nextHeader = `${header}-next` } = options;
  assertClock(now, toleranceSeconds);
  assertKeys(keys);
  const [firstName, nextName] = [toHeaderName('header', header), toHeaderName('nextHeader', nextHeader)];
  const next = findHeader(headers, nextName);
  const signatures = [
    parseSignature(firstName, findHeader(headers, firstName) ?? ''),
    ...(next === undefined ? [] : [parseSignature(nextName, next)]),
  ];
  const verified = signatures.flatMap(({ text, timestamp, signature }) => {
    const keyIndex = findMatchingKey(keys, [signature], (key) => toHexSignature(key, text, body));
    return keyIndex === -1 ? [] : [{ timestamp, keyIndex }];
  });
  const [first] = verified;
  if (!first) throw new SignatureMismatchError();
  assertWithinTolerance(first.timestamp, now, toleranceSeconds);
  return first;
}

function toHexSignature(key: string, timestamp: string, body: WebhookBody): string {
  return hmacSha256(key, `${timestamp}.`, body).toString('hex');
}

function parseSignature(name: string, header: string): { text: string; timestamp: Date; signature: string } {
  const [, text, signature] = /^([^,]{20}),([0-9a-f]{64})$/.exec(header) ?? [];
  const timestamp = text === undefined ? null : parseTimestamp(text);
  if (text === undefined || signature === undefined || timestamp === null) {
    throw new MalformedSignatureError(name, '<yyyy-mm-ddThh:mm:ssZ>,<64 lowercase hexadecimal characters>');
  }
  return { text, timestamp, signature };
}
