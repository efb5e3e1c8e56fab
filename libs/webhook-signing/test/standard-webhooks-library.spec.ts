import { describe, expect, test } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { signStandardWebhook, standardWebhooksSecret, verifyStandardWebhook } from '../src/index.js';
import { readVectors } from './vectors.js';

const { standard_webhooks: vectors } = readVectors();
const isJsonText = (text: string) => text.startsWith('{') && !text.includes('\ufffd');
const [KEY, NEW_KEY, OTHER_KEY] = ['0f'.repeat(32), 'f0'.repeat(32), '1e'.repeat(32)];

describe('a receiver with the library of Standard Webhooks', () => {
  const texts = vectors
    .map(({ name, body_base64 }) => ({ name, body: Buffer.from(body_base64, 'base64').toString('utf8') }))
    .filter(({ body }) => isJsonText(body));
  const send = (body: string, keys: readonly string[], sentAt = new Date()) =>
    signStandardWebhook({ id: '5b1f0c9e', body, keys, sentAt });
  const receive = (key: string, body: string, headers: Record<string, string>) =>
    new Webhook(standardWebhooksSecret(key)).verify(body, headers);

  test.each(texts)('verifies "$name"', ({ body }) => {
    expect(receive(KEY, body, send(body, [KEY]))).toEqual(JSON.parse(body));
  });

  test('verifies with either key while a key is being replaced', () => {
    for (const key of [KEY, NEW_KEY]) expect(receive(key, '{}', send('{}', [KEY, NEW_KEY]))).toEqual({});
  });

  test('rejects another key, another body and an old message', () => {
    const headers = send('{}', [KEY]);
    expect(() => receive(OTHER_KEY, '{}', headers)).toThrow(WebhookVerificationError);
    expect(() => receive(KEY, '{} ', headers)).toThrow(WebhookVerificationError);
    expect(() => receive(KEY, '{}', send('{}', [KEY], new Date(Date.now() - 600_000)))).toThrow(
      WebhookVerificationError,
    );
  });
});

test('verifyStandardWebhook verifies a message that the library of Standard Webhooks signed', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const signature = new Webhook(standardWebhooksSecret(KEY)).sign('5b1f0c9e', now, '{"a":1}');
  const headers = {
    'webhook-id': '5b1f0c9e',
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': signature,
  };
  expect(verifyStandardWebhook({ body: '{"a":1}', headers, keys: [KEY], toleranceSeconds: 0, now }).id).toBe(
    '5b1f0c9e',
  );
});
