import { describe, expect, test } from '@jest/globals';
import {
  sign,
  signStandardWebhook,
  standardWebhooksSecret,
  verify,
  verifyStandardWebhook,
  WebhookSigningError,
} from '../src/index.js';
import { readVectors, type SignatureVector } from './vectors.js';

const { signatures, standard_webhooks: standardWebhooks } = readVectors();

/** Returns the code of the error with which `verify` refuses the message, or null when it accepts the message. */
function verdictOf(vector: SignatureVector, body: string | Uint8Array): string | null {
  try {
    const { header, keys, tolerance_seconds: toleranceSeconds, now } = vector;
    verify({
      body,
      headers: { 'x-service-notify-signature': header },
      keys,
      toleranceSeconds,
      now: new Date(now * 1000),
    });
    return null;
  } catch (error) {
    if (error instanceof WebhookSigningError) return error.code;
    throw error;
  }
}

const isUtf8 = (bytes: Buffer) => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
const asText = signatures.filter(({ body_base64 }) => isUtf8(Buffer.from(body_base64, 'base64')));

describe('signatures made by another tool', () => {
  test.each(signatures)('verify returns $code for the bytes of "$name"', (vector) => {
    expect(verdictOf(vector, Buffer.from(vector.body_base64, 'base64'))).toBe(vector.code);
  });

  test.each(asText)('verify returns $code for the text of "$name"', (vector) => {
    expect(verdictOf(vector, Buffer.from(vector.body_base64, 'base64').toString('utf8'))).toBe(vector.code);
  });

  test.each(signatures.filter(({ code }) => code === null))('sign makes the same signature for "$name"', (vector) => {
    const sentAt = new Date(vector.header.split(',')[0] ?? '');
    const body = Buffer.from(vector.body_base64, 'base64');
    expect(vector.keys.map((key) => sign({ body, key, sentAt }))).toContain(vector.header);
  });
});

describe('Standard Webhooks headers made by another tool', () => {
  test.each(standardWebhooks)(
    'are accepted by verifyStandardWebhook and made by signStandardWebhook for "$name"',
    (vector) => {
      const { id, keys } = vector;
      const body = Buffer.from(vector.body_base64, 'base64');
      const headers = signStandardWebhook({ id, body, keys, sentAt: new Date(vector.sent_at) });
      expect(headers).toEqual({
        'webhook-id': id,
        'webhook-timestamp': vector.webhook_timestamp,
        'webhook-signature': vector.webhook_signature,
      });
      const now = new Date(vector.sent_at);
      expect(verifyStandardWebhook({ body, headers, keys, toleranceSeconds: 0, now })).toEqual({
        id,
        timestamp: now,
        keyIndex: 0,
      });
      expect(keys.map(standardWebhooksSecret)).toEqual(vector.secrets);
    },
  );
});
