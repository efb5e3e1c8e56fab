import { type WebhookBody } from './body.js';
import { InvalidOptionError, MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { findHeader, type ReceivedHeaders } from './headers.js';
import { assertKeys, findMatchingKey, hmacSha256 } from './hmac.js';
import { assertClock, assertWithinTolerance, toUnixSeconds } from './time.js';

/** Without `.`, which separates the parts of what is signed; without spaces, as it stands in a header. */
const MESSAGE_ID = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
const UNIX_SECONDS = /^(?:0|[1-9]\d{0,11})$/;
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;

/** A type, not an interface: that would not be an object of any headers. */
export type StandardWebhookHeaders = {
  readonly 'webhook-id': string;
  /** Unix time in whole seconds. */
  readonly 'webhook-timestamp': string;
  /** `v1,<base64>`, one per key, separated by a space. */
  readonly 'webhook-signature': string;
};

export interface SignStandardWebhookOptions {
  /** The `message_id`, the same on every attempt. 1 to 255 visible ASCII characters, none of them `.`. */
  readonly id: string;
  /** Exactly what will be sent. */
  readonly body: WebhookBody;
  /** One key, or the old and the new one while a key is being replaced: one signature each, in this order. */
  readonly keys: readonly string[];
  /** The time of this attempt. Fractions of a second are cut off. */
  readonly sentAt: Date;
}

export interface VerifyStandardWebhookOptions {
  /** The raw body as received. */
  readonly body: WebhookBody;
  /** The headers as received, for example Node's `request.headers`; others are ignored. */
  readonly headers: ReceivedHeaders;
  readonly keys: readonly string[];
  /** Greatest difference between `now` and the timestamp, in either direction, inclusive. */
  readonly toleranceSeconds: number;
  readonly now: Date;
}

export interface VerifiedStandardWebhook {
  /** The message's id: receivers keep it to notice a message that comes twice. */
  readonly id: string;
  readonly timestamp: Date;
  /** Position in `keys` of the first key that made one of the signatures. */
  readonly keyIndex: number;
}

/**
 * Makes the three headers of Standard Webhooks for one attempt.
 * @throws {EmptySigningKeyError} when `keys` is empty or holds an empty key
 * @throws {InvalidOptionError} when the id cannot be signed, or `sentAt` is no date from 1970 on
 * Source: CONTRACT.md 8 and 11, Standard Webhooks.
 */
export function signStandardWebhook({ id, body, keys, sentAt }: SignStandardWebhookOptions): StandardWebhookHeaders {
  if (!MESSAGE_ID.test(id)) throw new InvalidOptionError('id', '1 to 255 visible ASCII characters without "."');
  assertKeys(keys);
  const timestamp = String(toUnixSeconds(sentAt));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => toBase64Signature(key, `${id}.${timestamp}.`, body)).join(' '),
  };
}

/**
 * Verifies a message by its Standard Webhooks headers: first the signatures, in constant time, then the timestamp.
 * One match of any key with any `v1` signature is enough; signatures of other versions are passed over.
 * @throws {MalformedSignatureError} when a header is missing, sent twice, or has another form
 * @throws {SignatureMismatchError} when no key gives any of the signatures
 * @throws {TimestampOutsideToleranceError} when the signature is genuine but too old or too far ahead
 * @throws {EmptySigningKeyError} when `keys` is empty or holds an empty key
 * @throws {InvalidOptionError} when the body was parsed, a key is no text, `now` no date, or the tolerance negative or no number
 * Source: CONTRACT.md 8 and 11, Standard Webhooks.
 */
export function verifyStandardWebhook(options: VerifyStandardWebhookOptions): VerifiedStandardWebhook {
  const { body, headers, keys, toleranceSeconds, now } = options;
  assertClock(now, toleranceSeconds);
  assertKeys(keys);
  const id = parseHeader(headers, 'webhook-id', MESSAGE_ID);
  const seconds = parseHeader(headers, 'webhook-timestamp', UNIX_SECONDS);
  const signatures = parseSignatures(parseHeader(headers, 'webhook-signature', /^v/));
  const keyIndex = findMatchingKey(keys, signatures, (key) => toBase64Signature(key, `${id}.${seconds}.`, body));
  if (keyIndex === -1) throw new SignatureMismatchError();
  const timestamp = new Date(Number(seconds) * 1000);
  assertWithinTolerance(timestamp, now, toleranceSeconds);
  return { id, timestamp, keyIndex };
}

function toBase64Signature(key: string, prefix: string, body: WebhookBody): string {
  return `v1,${hmacSha256(key, prefix, body).toString('base64')}`;
}

function parseHeader(
  headers: VerifyStandardWebhookOptions['headers'],
  name: keyof StandardWebhookHeaders,
  form: RegExp,
): string {
  const text = findHeader(headers, name);
  if (text !== undefined && form.test(text)) return text;
  throw new MalformedSignatureError(name, 'one header of the Standard Webhooks form');
}

function parseSignatures(text: string): readonly string[] {
  const signatures = text.split(' ').filter((part) => part.startsWith('v1,'));
  if (signatures.length > 0 && signatures.every((signature) => SIGNATURE.test(signature))) return signatures;
  throw new MalformedSignatureError('webhook-signature', '"v1,<base64>", several separated by a space');
}
