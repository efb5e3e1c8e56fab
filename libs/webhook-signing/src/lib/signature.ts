import { type WebhookBody } from './body.js';
import { MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { findHeader, type ReceivedHeaders } from './headers.js';
import { assertKeys, findMatchingKey, hmacSha256 } from './hmac.js';
import { assertClock, assertWithinTolerance, parseTimestamp, toTimestamp } from './time.js';

/** Name of the header that {@link sign} makes the value of, in lower case as Node spells it. Source: SPEC.md 6.4. */
export const SIGNATURE_HEADER = 'x-service-notify-signature';

/**
 * Name of the second header that is sent while a key is being replaced, signed with the new key.
 * Source: CONTRACT.md 8.
 */
export const NEXT_SIGNATURE_HEADER = 'x-service-notify-signature-next';

export interface SignOptions {
  /** Exactly what will be sent: serialise once, then sign and send the same text or bytes. */
  readonly body: WebhookBody;
  /** The subscription's `signing_key`, the hexadecimal text clients see; never logged. */
  readonly key: string;
  /** The time of this attempt. Fractions of a second are cut off. */
  readonly sentAt: Date;
}

export interface VerifyOptions {
  /** The raw body as received. A body that was parsed and written again is another body. */
  readonly body: WebhookBody;
  /** The headers as received, for example Node's `request.headers`: the signature and, where there is one, the next. */
  readonly headers: ReceivedHeaders;
  /** The keys to accept: while one is being replaced either of the two is enough. */
  readonly keys: readonly string[];
  /** Greatest difference between `now` and the timestamp, in either direction, inclusive. */
  readonly toleranceSeconds: number;
  readonly now: Date;
}

export interface VerifiedSignature {
  /** When this attempt was signed. */
  readonly timestamp: Date;
  /** Position in `keys` of the key that made the signature. */
  readonly keyIndex: number;
}

/**
 * Signs one attempt to deliver one notification.
 * @returns header value `<timestamp>,<signature>`: timestamp as `2026-11-21T09:00:00Z`, signature 64 lowercase
 *   hexadecimal characters, the HMAC-SHA-256 of `<timestamp>.<body>`
 * @throws {EmptySigningKeyError} when `key` is empty
 * @throws {InvalidOptionError} when `sentAt` is no date, or outside the years 0000 to 9999
 * Source: SPEC.md 6.4; the key is used as text, not hex-decoded: CONTRACT.md 8.
 */
export function sign({ body, key, sentAt }: SignOptions): string {
  const timestamp = toTimestamp(sentAt);
  return `${timestamp},${toHexSignature(key, timestamp, body)}`;
}

/**
 * Verifies one received notification: first the signatures, in constant time, then the age of the timestamp. One match of
 * any key with either header is enough, so a key can be replaced at any time while both are sent.
 * @returns when it was signed and by which of the keys
 * @throws {MalformedSignatureError} when the first header is missing, or either is there twice or not `<timestamp>,<signature>`
 * @throws {SignatureMismatchError} when no key gives a signature
 * @throws {TimestampOutsideToleranceError} when the signature is genuine but too old or too far ahead
 * @throws {EmptySigningKeyError} when `keys` is empty or holds an empty key
 * @throws {InvalidOptionError} when the body was parsed, a key is no text, `now` no date, or the tolerance negative or no number
 * Source: SPEC.md 6.4, CONTRACT.md 8.
 */
export function verify({ body, headers, keys, toleranceSeconds, now }: VerifyOptions): VerifiedSignature {
  assertClock(now, toleranceSeconds);
  assertKeys(keys);
  const next = findHeader(headers, NEXT_SIGNATURE_HEADER);
  const signatures = [
    parseSignature(SIGNATURE_HEADER, findHeader(headers, SIGNATURE_HEADER) ?? ''),
    ...(next === undefined ? [] : [parseSignature(NEXT_SIGNATURE_HEADER, next)]),
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
