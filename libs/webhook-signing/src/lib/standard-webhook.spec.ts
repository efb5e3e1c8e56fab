// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  EmptySigningKeyError,
  InvalidOptionError,
  MalformedSignatureError,
  SignatureMismatchError,
  TimestampOutsideToleranceError,
} from './errors.js';
import { standardWebhooksSecret } from './signing-key.js';
import { signStandardWebhook, verifyStandardWebhook } from './standard-webhook.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const [KEY, NEW_KEY, OTHER_KEY] = ['0f'.repeat(32), 'f0'.repeat(32), '1e'.repeat(32)];
const SENT_AT = new Date('2026-11-21T09:00:00Z');
const message = { id: '5b1f0c9e-4c0e', body: '{"a":1}', keys: [KEY], sentAt: SENT_AT };
const headers = signStandardWebhook(message);
const received = { body: message.body, headers, keys: [KEY], toleranceSeconds: 300, now: SENT_AT };
const verifyWith = (change: Record<string, unknown>) => () =>
  verifyStandardWebhook({ ...received, headers: { ...headers, ...change } });

describe('signStandardWebhook', () => {
  test('writes the id, Unix seconds and one signature', () => {
    expect(headers).toEqual({
      'webhook-id': '5b1f0c9e-4c0e',
      'webhook-timestamp': '1795251600',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  test('writes one signature per key, in the order of the keys', () => {
    const both = signStandardWebhook({ ...message, keys: [KEY, NEW_KEY] })['webhook-signature'];
    const alone = [KEY, NEW_KEY].map((key) => signStandardWebhook({ ...message, keys: [key] })['webhook-signature']);
    expect(both).toBe(alone.join(' '));
  });

  test('cuts off fractions of a second', () => {
    expect(signStandardWebhook({ ...message, sentAt: new Date(SENT_AT.getTime() + 999) })).toEqual(headers);
  });

  test.each(['', 'a.b', 'a b', 'a\n', 'ä', 'a'.repeat(256)])('rejects the id %j', (id) => {
    expect(() => signStandardWebhook({ ...message, id })).toThrow(InvalidOptionError);
  });

  test('signs an id of 255 characters', () => {
    expect(signStandardWebhook({ ...message, id: 'a'.repeat(255) })['webhook-id']).toHaveLength(255);
  });

  test.each([[], [''], [KEY, '']])('rejects the keys %j', (...keys) => {
    expect(() => signStandardWebhook({ ...message, keys })).toThrow(EmptySigningKeyError);
  });

  test.each([NaN, -1])('rejects the time %d', (time) => {
    expect(() => signStandardWebhook({ ...message, sentAt: new Date(time) })).toThrow(InvalidOptionError);
  });
});

describe('verifyStandardWebhook', () => {
  test('returns the id, the time and the position of the key', () => {
    expect(verifyStandardWebhook({ ...received, keys: [OTHER_KEY, KEY] })).toEqual({
      id: message.id,
      timestamp: SENT_AT,
      keyIndex: 1,
    });
  });

  test.each([[KEY], [NEW_KEY], [OTHER_KEY, NEW_KEY]])('accepts either of two signatures: keys %j', (...keys) => {
    const overlap = signStandardWebhook({ ...message, keys: [KEY, NEW_KEY] });
    expect(verifyStandardWebhook({ ...received, headers: overlap, keys }).keyIndex).toBe(keys.length - 1);
  });

  test('ignores signatures of unknown versions', () => {
    expect(verifyWith({ 'webhook-signature': `v1a,xyz ${headers['webhook-signature']} v2,abc` })().keyIndex).toBe(0);
  });

  test('ignores spaces and tabs around a value, and other headers', () => {
    expect(verifyWith({ 'webhook-id': ` \t${message.id} `, 'x-other': 'a' })().keyIndex).toBe(0);
  });

  test.each<[string, unknown]>([
    ['webhook-id', undefined],
    ['webhook-id', ['a', 'a']],
    ['webhook-id', 'a.b'],
    ['webhook-id', 'a'.repeat(256)],
    ['webhook-timestamp', undefined],
    ['webhook-timestamp', '1795251600.0'],
    ['webhook-timestamp', '01795251600'],
    ['webhook-timestamp', '-1'],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', '2026-11-21T09:00:00Z'],
    ['webhook-signature', undefined],
    ['webhook-signature', ''],
    ['webhook-signature', 'v2,abc'],
    ['webhook-signature', headers['webhook-signature'].slice(0, -1)],
    ['webhook-signature', `${headers['webhook-signature']} v1,abc`],
    ['webhook-signature', headers['webhook-signature'].replace('v1,', '')],
    ['webhook-signature', headers['webhook-signature'].padEnd(1100, ' v2,a')],
  ])('rejects %s: %j as malformed', (header, value) => {
    expect(verifyWith({ [header]: value })).toThrow(MalformedSignatureError);
    expect(verifyWith({ [header]: value })).toThrow(expect.objectContaining({ header }));
  });

  test.each<[string, Record<string, string>]>([
    ['another id', { 'webhook-id': '5b1f0c9e-4c0f' }],
    ['another time', { 'webhook-timestamp': '1795251601' }],
  ])('rejects a message with %s than was signed', (_, change) => {
    expect(verifyWith(change)).toThrow(SignatureMismatchError);
  });

  test('checks the signature before the timestamp', () => {
    const now = new Date(0);
    expect(() => verifyStandardWebhook({ ...received, now, keys: [OTHER_KEY] })).toThrow(SignatureMismatchError);
    expect(() => verifyStandardWebhook({ ...received, now })).toThrow(TimestampOutsideToleranceError);
  });

  test('rejects a call without a key', () => {
    expect(() => verifyStandardWebhook({ ...received, keys: [] })).toThrow(EmptySigningKeyError);
  });

  test('rejects a tolerance that is not a number', () => {
    expect(() => verifyStandardWebhook({ ...received, toleranceSeconds: NaN })).toThrow(InvalidOptionError);
  });

  test('reads the headers object of Node', () => {
    const incoming: NodeJS.Dict<string | string[]> = { ...headers, 'set-cookie': ['a=b'] };
    expect(verifyStandardWebhook({ ...received, headers: incoming }).id).toBe(message.id);
  });
});

test('for any message, a changed character of body, id, time or signature never verifies', () => {
  const changed = fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature');
  const properties = fc.property(
    fc.string({ minLength: 1 }),
    fc.uuid(),
    changed,
    fc.nat(),
    fc.nat(),
    (body, id, part, at, by) => {
      const signed = { body, ...signStandardWebhook({ ...message, id, body }) };
      const text = signed[part];
      const index = at % text.length;
      // The test inserts only characters that are valid at the changed place. The end of a base64 text is tested, too,
      // although several characters can encode the same bytes there.
      const letters = '0123456789abcdefABCDEF+/ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ'.replace(
        text.charAt(index),
        '',
      );
      const other = text.slice(0, index) + letters.charAt(by % letters.length) + text.slice(index + 1);
      const { body: sent, ...rest } = { ...signed, [part]: other };
      const options = { body: sent, headers: rest, keys: [KEY], toleranceSeconds: Infinity, now: SENT_AT };
      expect(() => verifyStandardWebhook(options)).toThrow(/expected|no signing key/);
    },
  );
  fc.assert(properties, { numRuns: runs(1_000) });
});

describe('a Standard Webhooks secret passed as a key', () => {
  test('verifies signatures made with the key that it encodes', () => {
    const keys = [OTHER_KEY, standardWebhooksSecret(KEY)];
    expect(verifyStandardWebhook({ ...received, keys }).keyIndex).toBe(1);
    expect(() => verifyStandardWebhook({ ...received, keys: [standardWebhooksSecret(OTHER_KEY)] })).toThrow(
      SignatureMismatchError,
    );
  });

  test('signs as its key does', () => {
    expect(signStandardWebhook({ ...message, keys: [standardWebhooksSecret(KEY)] })).toEqual(headers);
  });

  test.each(['whsec_', 'whsec_a', 'whsec_MDBm Zg==', 'whsec_MDBmZg'])('is rejected when it is malformed: %p', (key) => {
    expect(() => verifyStandardWebhook({ ...received, keys: [key] })).toThrow(InvalidOptionError);
    expect(() => signStandardWebhook({ ...message, keys: [key] })).toThrow(InvalidOptionError);
  });
});
