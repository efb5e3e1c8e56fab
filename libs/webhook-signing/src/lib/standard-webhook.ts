import { type WebhookBody } from './body.js';
import { InvalidOptionError, MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { findHeader, type ReceivedHeaders } from './headers.js';
import { assertKeys, findMatchingKey, hmacSha256 } from './hmac.js';
import { assertClock, assertWithinTolerance, toUnixSeconds } from './time.js';

/** Matches a message id. It has no `.`, which separates the parts of the signed text, and no spaces. */
const MESSAGE_ID = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
const UNIX_SECONDS = /^(?:0|[1-9]\d{0,11})$/;
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;

/**
 * The three headers of Standard Webhooks. This is a type alias, because an interface cannot be assigned to an object
 * with any header names.
 */
export type StandardWebhookHeaders = {
  readonly 'webhook-id': string;
  /** The time of the attempt, in whole Unix seconds. */
  readonly 'webhook-timestamp': string;
  /** One signature `v1,<base64>` for each key, separated by spaces. */
  readonly 'webhook-signature': string;
};

/** Options of `signStandardWebhook`. */
export interface SignStandardWebhookOptions {
  /** The `message_id`. It is the same in every attempt and has 1 to 255 visible ASCII characters without `.`. */
  readonly id: string;
  /** The exact body to send. */
  readonly body: WebhookBody;
  /**
   * One key, or the old and the new key during a rotation. Each makes a signature, in this order. A key is the text of a
   * signing key, or a secret of Standard Webhooks (`whsec_` and the base64 of the key).
   */
  readonly keys: readonly string[];
  /** The time of this attempt. Fractions of a second are cut off. */
  readonly sentAt: Date;
}

/** Options of `verifyStandardWebhook`. */
export interface VerifyStandardWebhookOptions {
  /** The raw body as received. */
  readonly body: WebhookBody;
  /** The received headers, such as Node's `request.headers`. Other headers are ignored. */
  readonly headers: ReceivedHeaders;
  /** The accepted keys: texts of signing keys, or secrets of Standard Webhooks (`whsec_` and the base64 of the key). */
  readonly keys: readonly string[];
  /** Maximum accepted difference between `now` and the timestamp, in either direction, inclusive. */
  readonly toleranceSeconds: number;
  /** The time of the verification. */
  readonly now: Date;
}

/** The result of a successful verification. */
export interface VerifiedStandardWebhook {
  /** The id of the message. Store it to recognise a repeated message. */
  readonly id: string;
  /** The time at which the message was signed. */
  readonly timestamp: Date;
  /** Position in `keys` of the first key that has made one of the signatures. */
  readonly keyIndex: number;
}

/**
 * Makes the three headers of Standard Webhooks for one attempt.
 * @throws {EmptySigningKeyError} when `keys` is empty or contains an empty key
 * @throws {InvalidOptionError} when the id or a `whsec_` secret is invalid, or `sentAt` is not a date from 1970 on
 * Source: docs/reference/signing.md.
 */
export function signStandardWebhook({ id, body, keys, sentAt }: SignStandardWebhookOptions): StandardWebhookHeaders {
  if (!MESSAGE_ID.test(id)) throw new InvalidOptionError('id', '1 to 255 visible ASCII characters without "."');
  assertKeys(keys);
  const timestamp = String(toUnixSeconds(sentAt));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => toBase64Signature(toSecret(key), `${id}.${timestamp}.`, body)).join(' '),
  };
}

/**
 * Verifies a message by its Standard Webhooks headers: first the signatures, in constant time, then the timestamp.
 * One match of any key with any `v1` signature is enough. Signatures of other versions are ignored.
 * @throws {MalformedSignatureError} when a header is missing, given twice or malformed
 * @throws {SignatureMismatchError} when no key produces any of the signatures
 * @throws {TimestampOutsideToleranceError} when the signature is genuine, but too old or too far in the future
 * @throws {EmptySigningKeyError} when `keys` is empty or contains an empty key
 * @throws {InvalidOptionError} when the body was parsed, a key is no text or an invalid `whsec_` secret, `now` is no
 *   date, or the tolerance is negative or no number
 * Source: docs/reference/signing.md.
 */
export function verifyStandardWebhook(options: VerifyStandardWebhookOptions): VerifiedStandardWebhook {
  const { body, headers, keys, toleranceSeconds, now } = options;
  assertClock(now, toleranceSeconds);
  assertKeys(keys);
  const id = parseHeader(headers, 'webhook-id', MESSAGE_ID);
  const seconds = parseHeader(headers, 'webhook-timestamp', UNIX_SECONDS);
  const signatures = parseSignatures(parseHeader(headers, 'webhook-signature', /^v/));
  const prefix = `${id}.${seconds}.`;
  const keyIndex = findMatchingKey(keys, signatures, (key) => toBase64Signature(toSecret(key), prefix, body));
  if (keyIndex === -1) throw new SignatureMismatchError();
  const timestamp = new Date(Number(seconds) * 1000);
  assertWithinTolerance(timestamp, now, toleranceSeconds);
  return { id, timestamp, keyIndex };
}

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** Decodes a secret of Standard Webhooks. Returns any other key unchanged. */
function toSecret(key: string): string | Buffer {
  if (!key.startsWith('whsec_')) return key;
  const [, base64 = ''] = SECRET.exec(key) ?? [];
  if (base64 === '') throw new InvalidOptionError('keys', 'the base64 of a key after "whsec_"');
  return Buffer.from(base64, 'base64');
}

function toBase64Signature(key: string | Buffer, prefix: string, body: WebhookBody): string {
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
