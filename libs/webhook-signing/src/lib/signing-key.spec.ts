import { expect, test } from '@jest/globals';
import { EmptySigningKeyError } from './errors.js';
import { createSigningKey, standardWebhooksSecret } from './signing-key.js';

test('a new key has 64 lowercase hexadecimal characters', () => {
  expect(createSigningKey()).toMatch(/^[0-9a-f]{64}$/);
});

test('no two new keys are the same', () => {
  expect(new Set(Array.from({ length: 1000 }, createSigningKey)).size).toBe(1000);
});

test('the Standard Webhooks secret is base64 of the hexadecimal key text, not of the decoded bytes', () => {
  expect(standardWebhooksSecret('00ff')).toBe('whsec_MDBmZg==');
});

test('standardWebhooksSecret rejects an empty key', () => {
  expect(() => standardWebhooksSecret('')).toThrow(EmptySigningKeyError);
});
