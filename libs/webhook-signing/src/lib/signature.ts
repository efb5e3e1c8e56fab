import { MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { findMatchingKey, hmacSha256, type WebhookBody } from './hmac.js';
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
  /** Value of `x-service-notify-signature` (or `…-next`). Spaces and tabs around it are ignored, none within it. */
  readonly header: string | undefined;
  /** The keys to accept: one, or both while a key is being replaced. */
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
 * Verifies one received notification: first the signature, in constant time, then the age of the timestamp.
 * @returns when it was signed and by which of the keys
 * @throws {MalformedSignatureError} when the header is missing or not `<timestamp>,<signature>`
 * @throws {SignatureMismatchError} when no key gives that signature
 * @throws {TimestampOutsideToleranceError} when the signature is genuine but too old or too far ahead
 * @throws {EmptySigningKeyError} when `keys` is empty or holds an empty key
 * @throws {InvalidOptionError} when `now` is no date, or the tolerance negative or not a number
 * Source: SPEC.md 6.4.
 */
export function verify({ body, header, keys, toleranceSeconds, now }: VerifyOptions): VerifiedSignature {
  assertClock(now, toleranceSeconds);
  const { text, timestamp, signature } = parseHeader(header);
  const keyIndex = findMatchingKey(keys, [signature], (key) => toHexSignature(key, text, body));
  if (keyIndex === -1) throw new SignatureMismatchError();
  assertWithinTolerance(timestamp, now, toleranceSeconds);
  return { timestamp, keyIndex };
}

function toHexSignature(key: string, timestamp: string, body: WebhookBody): string {
  return hmacSha256(key, `${timestamp}.`, body).toString('hex');
}

function parseHeader(header: string | undefined): { text: string; timestamp: Date; signature: string } {
  // RFC 9110 5.5: white space around a field value is not part of it, and not every server has removed it.
  const [, text, signature] = /^[ \t]*([^,]{20}),([0-9a-f]{64})[ \t]*$/.exec(header ?? '') ?? [];
  const timestamp = text === undefined ? null : parseTimestamp(text);
  if (text === undefined || signature === undefined || timestamp === null) {
    throw new MalformedSignatureError('signature', '<yyyy-mm-ddThh:mm:ssZ>,<64 lowercase hexadecimal characters>');
  }
  return { text, timestamp, signature };
}
