import { createHmac, timingSafeEqual } from 'node:crypto';
import { type WebhookBody } from './body.js';
import { EmptySigningKeyError, InvalidOptionError } from './errors.js';

/**
 * Computes the HMAC-SHA-256 of `prefix` followed by `body`, without joining them into one large text. The key is a
 * text: its UTF-8 bytes are used, not the bytes that its hexadecimal digits encode (docs/reference/signing.md).
 */
export function hmacSha256(key: string | Buffer, prefix: string, body: WebhookBody): Buffer {
  if (!Buffer.isBuffer(key)) assertKey(key, 'key');
  // A parsed body cannot be signed, because its original bytes are lost.
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new InvalidOptionError('body', 'the raw bytes of the request, or their text');
  return createHmac('sha256', key).update(prefix, 'utf8').update(body).digest();
}

function assertKey(key: unknown, option: string): void {
  if (typeof key !== 'string') throw new InvalidOptionError(option, 'the text of a signing key, not its bytes');
  if (key === '') throw new EmptySigningKeyError();
}

/** Throws for an invalid key, before anything is compared. */
export function assertKeys(keys: readonly string[]): void {
  if (!Array.isArray(keys)) throw new InvalidOptionError('keys', 'a list of signing keys');
  if (keys.length === 0) throw new EmptySigningKeyError();
  for (const key of keys) assertKey(key, 'keys');
}

/**
 * Returns the position of the first key whose signature is among `candidates`, or -1. Every key is compared with every
 * candidate in constant time, so the duration does not show where they differ.
 * @param toSignature  returns the text of the signature that a key produces
 */
export function findMatchingKey(
  keys: readonly string[],
  candidates: readonly string[],
  toSignature: (key: string) => string,
): number {
  assertKeys(keys);
  let matching = -1;
  for (const [index, key] of keys.entries()) {
    const expected = toSignature(key);
    for (const candidate of candidates) {
      if (isSameText(expected, candidate) && matching === -1) matching = index;
    }
  }
  return matching;
}

/**
 * Compares texts and not decoded bytes. Base64 can encode the same bytes in several ways, and only one of them is valid
 * here.
 */
function isSameText(expected: string, found: string): boolean {
  const expectedBytes = Buffer.from(expected, 'utf8');
  const foundBytes = Buffer.from(found, 'utf8');
  return expectedBytes.length === foundBytes.length && timingSafeEqual(expectedBytes, foundBytes);
}
