import { randomBytes } from 'node:crypto';
import { assertKeys } from './hmac.js';

/**
 * A new signing key.
 * @returns 64 lowercase hexadecimal characters from 32 random bytes; that text itself is the key, see `sign`
 * Source: CONTRACT.md 8.
 */
export function createSigningKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * The key as the libraries of Standard Webhooks want it.
 * @param key the subscription's `signing_key`
 * @returns `whsec_` followed by the base64 of the key's UTF-8 text; as secret as the key itself
 * @throws {EmptySigningKeyError} when `key` is empty
 * @throws {InvalidOptionError} when it is no text
 * Source: CONTRACT.md 11, Standard Webhooks.
 */
export function standardWebhooksSecret(key: string): string {
  assertKeys([key]);
  return `whsec_${Buffer.from(key, 'utf8').toString('base64')}`;
}
