import { createHmac, timingSafeEqual } from 'node:crypto';
import { type WebhookBody } from './body.js';
import { EmptySigningKeyError, InvalidOptionError } from './errors.js';

/**
 * HMAC-SHA-256 of `prefix` followed by `body`, without joining them into one large text first.
 * The key is used as text: its UTF-8 bytes, not the bytes its hexadecimal digits stand for (CONTRACT.md 8).
 */
export function hmacSha256(key: string, prefix: string, body: WebhookBody): Buffer {
  assertKey(key, 'key');
  // What a framework has parsed cannot be signed any more: its bytes are gone.
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new InvalidOptionError('body', 'the raw bytes of the request, or their text');
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(prefix, 'utf8').update(body).digest();
}

function assertKey(key: unknown, option: string): void {
  if (typeof key !== 'string') throw new InvalidOptionError(option, 'the text of a signing key, not its bytes');
  if (key === '') throw new EmptySigningKeyError();
}

/** Refuses keys that are none before anything is compared. */
export function assertKeys(keys: readonly string[]): void {
  if (!Array.isArray(keys)) throw new InvalidOptionError('keys', 'a list of signing keys');
  if (keys.length === 0) throw new EmptySigningKeyError();
  for (const key of keys) assertKey(key, 'keys');
}

/**
 * Position of the first key whose signature is among `candidates`, or -1. Every key is tried against every candidate,
 * in constant time each, so the duration says nothing about where they differ.
 * @param toSignature text of the signature that a key gives
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

/** Compares texts, not decoded bytes: base64 can write the same bytes in several ways, and only one is ours. */
function isSameText(expected: string, found: string): boolean {
  const expectedBytes = Buffer.from(expected, 'utf8');
  const foundBytes = Buffer.from(found, 'utf8');
  return expectedBytes.length === foundBytes.length && timingSafeEqual(expectedBytes, foundBytes);
}
