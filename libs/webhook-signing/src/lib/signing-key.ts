import { randomBytes } from 'node:crypto';
import { assertKeys } from './hmac.js';

/**
 * Creates a signing key.
 * @returns 64 lowercase hexadecimal characters from 32 random bytes. This text itself is the key, see `sign`.
 * Source: docs/reference/signing.md.
 */
export function createSigningKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Converts a key into the secret that libraries of Standard Webhooks expect.
 * @param key the subscription's `signing_key`
 * @returns `whsec_` followed by the base64 of the key's UTF-8 text. It is as secret as the key.
 * @throws {EmptySigningKeyError} when `key` is empty
 * @throws {InvalidOptionError} when `key` is not a text
 * Source: docs/reference/signing.md.
 */
export function standardWebhooksSecret(key: string): string {
  assertKeys([key]);
  return `whsec_${Buffer.from(key, 'utf8').toString('base64')}`;
}
