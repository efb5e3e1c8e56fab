import { describe, expect, test } from '@jest/globals';
import {
  EmptySigningKeyError,
  InvalidOptionError,
  MalformedSignatureError,
  SignatureMismatchError,
  TimestampOutsideToleranceError,
} from './errors.js';
import { type ReceivedHeaders } from './headers.js';
import { NEXT_SIGNATURE_HEADER, sign, SIGNATURE_HEADER, verify } from './signature.js';

const KEY = '0f'.repeat(32);
const OTHER_KEY = 'f0'.repeat(32);
const SENT_AT = new Date('2026-11-21T09:00:00Z');
const BODY = '{"message_id":"5b1f0c9e"}';
const HEADER = sign({ body: BODY, key: KEY, sentAt: SENT_AT });

const received = {
  body: BODY,
  headers: { [SIGNATURE_HEADER]: HEADER },
  keys: [KEY],
  toleranceSeconds: 300,
  now: SENT_AT,
};
const withHeader = (header: string | undefined) => ({ ...received, headers: { [SIGNATURE_HEADER]: header } });

describe('sign', () => {
  test('writes the timestamp, a comma and 64 lowercase hexadecimal characters', () => {
    expect(HEADER).toMatch(/^2026-11-21T09:00:00Z,[0-9a-f]{64}$/);
  });

  test('cuts off fractions of a second instead of rounding', () => {
    expect(sign({ body: BODY, key: KEY, sentAt: new Date('2026-11-21T09:00:00.999Z') })).toBe(HEADER);
  });

  test('rejects an empty key', () => {
    expect(() => sign({ body: BODY, key: '', sentAt: SENT_AT })).toThrow(EmptySigningKeyError);
  });

  test.each([
    ['no date', NaN],
    ['a year after 9999', 253_402_300_800_000],
    ['a year before 0000', -62_167_219_200_001],
  ])('rejects %s as the time', (_, time) => {
    expect(() => sign({ body: BODY, key: KEY, sentAt: new Date(time) })).toThrow(InvalidOptionError);
  });

  test.each([
    ['first', -62_167_219_200_000],
    ['last', 253_402_300_799_999],
  ])('signs in the %s second that a timestamp can express', (_, time) => {
    const now = new Date(time);
    expect(verify({ ...withHeader(sign({ body: BODY, key: KEY, sentAt: now })), now }).keyIndex).toBe(0);
  });
});

describe('verify', () => {
  test('returns the time of the header and the position of the key', () => {
    expect(verify({ ...received, keys: [OTHER_KEY, KEY] })).toEqual({ timestamp: SENT_AT, keyIndex: 1 });
  });

  test('returns the first position of a key that is given twice', () => {
    expect(verify({ ...received, keys: [OTHER_KEY, KEY, KEY] }).keyIndex).toBe(1);
  });

  test('ignores spaces and tabs around the header', () => {
    expect(verify(withHeader(` \t${HEADER}\t `)).keyIndex).toBe(0);
  });

  test.each([undefined, '', `${HEADER}\n`, `\u00a0${HEADER}`, HEADER.replace(',', ', '), `${HEADER},${HEADER}`])(
    'refuses the header %j as malformed',
    (header) => {
      expect(() => verify(withHeader(header))).toThrow(MalformedSignatureError);
    },
  );

  test.each([[], [''], [KEY, '']])('rejects the keys %j', (...keys) => {
    expect(() => verify({ ...received, keys })).toThrow(EmptySigningKeyError);
  });

  test.each<[string, unknown]>([
    ['a list of one value', { [SIGNATURE_HEADER]: [HEADER] }],
    ['names in capitals', { 'X-Service-Notify-Signature': HEADER, 'X-Other': ['a', 'b'], get: 'x' }],
    ['the Headers of fetch', new Headers({ [SIGNATURE_HEADER]: HEADER })],
    ['a Map', new Map([[SIGNATURE_HEADER, HEADER]])],
  ])('reads headers in the format of %s', (_, headers) => {
    expect(verify({ ...received, headers: headers as ReceivedHeaders }).keyIndex).toBe(0);
  });

  test.each<[string, unknown]>([
    ['twice in a list', { [SIGNATURE_HEADER]: [HEADER, HEADER] }],
    ['twice under two names', { [SIGNATURE_HEADER]: HEADER, 'X-Service-Notify-Signature': HEADER }],
    [
      'twice, joined by Headers',
      new Headers([
        [SIGNATURE_HEADER, HEADER],
        [SIGNATURE_HEADER, HEADER],
      ]),
    ],
    ['as an empty list', { [SIGNATURE_HEADER]: [] }],
    ['as null', { [SIGNATURE_HEADER]: null }],
    ['as a number', { [SIGNATURE_HEADER]: 7 }],
    ['as an object', { [SIGNATURE_HEADER]: { toString: () => HEADER } }],
    ['with more than 1024 characters', { [SIGNATURE_HEADER]: HEADER.padStart(1025) }],
  ])('rejects a header that occurs %s', (_, headers) => {
    const run = () => verify({ ...received, headers: headers as ReceivedHeaders });
    expect(run).toThrow(MalformedSignatureError);
    expect(run).toThrow(expect.objectContaining({ header: SIGNATURE_HEADER }));
  });

  test('rejects a huge header as fast as any other', () => {
    const headers = { [SIGNATURE_HEADER]: ' \t'.repeat(5_000_000) + HEADER };
    const since = process.cpuUsage();
    expect(() => verify({ ...received, headers })).toThrow(MalformedSignatureError);
    expect(process.cpuUsage(since).user).toBeLessThan(500_000); // The limit is in microseconds of processor time.
  });

  test.each([
    ['body', { body: { message_id: '5b1f0c9e' } }],
    ['body', { body: undefined }],
    ['keys', { keys: KEY }],
    ['keys', { keys: [Buffer.from(KEY, 'hex')] }],
    ['keys', { keys: [KEY, undefined] }],
    ['headers', { headers: undefined }],
    ['now', { now: undefined }],
    ['now', { now: SENT_AT.getTime() }],
    ['toleranceSeconds', { toleranceSeconds: undefined }],
  ])('throws InvalidOptionError for a wrong %s', (option, change: object) => {
    const run = () => verify({ ...received, ...change });
    expect(run).toThrow(InvalidOptionError);
    expect(run).toThrow(expect.objectContaining({ option }));
  });

  test('checks the signature before the timestamp', () => {
    const now = new Date('2030-01-01T00:00:00Z');
    expect(() => verify({ ...received, now, keys: [OTHER_KEY] })).toThrow(SignatureMismatchError);
    expect(() => verify({ ...received, now })).toThrow(TimestampOutsideToleranceError);
  });

  test.each([
    [300_000, true],
    [300_001, false],
    [-300_000, true],
    [-300_001, false],
  ])('with a tolerance of 300 s accepts a clock %i ms ahead: %s', (ms, isAccepted) => {
    const run = () => verify({ ...received, now: new Date(SENT_AT.getTime() + ms) });
    if (isAccepted) expect(run().timestamp).toEqual(SENT_AT);
    else expect(run).toThrow(TimestampOutsideToleranceError);
  });

  test('reports by how much and in which direction the timestamp is off', () => {
    const run = () => verify({ ...received, now: new Date(SENT_AT.getTime() - 400_500) });
    expect(run).toThrow(expect.objectContaining({ differenceSeconds: -400.5, toleranceSeconds: 300 }));
  });

  test('accepts any age with an infinite tolerance', () => {
    expect(verify({ ...received, toleranceSeconds: Infinity, now: new Date(0) }).keyIndex).toBe(0);
  });

  test.each([NaN, -1, -Infinity])('rejects a tolerance of %d instead of accepting any age', (toleranceSeconds) => {
    expect(() => verify({ ...received, toleranceSeconds })).toThrow(InvalidOptionError);
  });

  test('rejects a clock that is not a date', () => {
    expect(() => verify({ ...received, now: new Date(NaN) })).toThrow(InvalidOptionError);
  });

  test('keeps keys, bodies and signatures out of its errors', () => {
    const secrets = [KEY, OTHER_KEY, BODY, HEADER.split(',')[1] ?? ''];
    for (const change of [{ keys: [OTHER_KEY] }, withHeader(`${HEADER}0`), { now: new Date(0) }, { keys: [KEY, ''] }]) {
      try {
        verify({ ...received, ...change });
        throw new Error('was accepted');
      } catch (error) {
        const text = `${String(error)} ${JSON.stringify(error)}`;
        expect(text).not.toContain('was accepted');
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      }
    }
  });
});

describe('while a key is being replaced', () => {
  const next = sign({ body: BODY, key: OTHER_KEY, sentAt: SENT_AT });
  const headers = { [SIGNATURE_HEADER]: HEADER, [NEXT_SIGNATURE_HEADER]: next };
  const verifyWith = (...keys: string[]) => verify({ ...received, headers, keys }).keyIndex;

  test('accepts either key, so that a receiver can change it at any time', () => {
    expect([verifyWith(KEY), verifyWith(OTHER_KEY)]).toEqual([0, 0]);
  });

  test('returns the key that signed the first header when both are known', () => {
    expect([verifyWith(KEY, OTHER_KEY), verifyWith(OTHER_KEY, KEY)]).toEqual([0, 1]);
  });

  test('rejects a third key', () => {
    expect(() => verifyWith('1e'.repeat(32))).toThrow(SignatureMismatchError);
  });

  test.each(['', 'x', `${next}, ${next}`])(
    'refuses the next signature %j as malformed, even when the first signature is genuine',
    (text) => {
      const run = () => verify({ ...received, headers: { ...headers, [NEXT_SIGNATURE_HEADER]: text } });
      expect(run).toThrow(expect.objectContaining({ code: 'malformed_signature', header: NEXT_SIGNATURE_HEADER }));
    },
  );

  test('rejects a next signature when the first signature is missing', () => {
    expect(() => verify({ ...received, headers: { [NEXT_SIGNATURE_HEADER]: next }, keys: [OTHER_KEY] })).toThrow(
      MalformedSignatureError,
    );
  });

  test('checks each header with its own time', () => {
    const old = sign({ body: BODY, key: OTHER_KEY, sentAt: new Date(0) });
    const mixed = { ...headers, [NEXT_SIGNATURE_HEADER]: old };
    expect(verify({ ...received, headers: mixed }).timestamp).toEqual(SENT_AT);
    expect(() => verify({ ...received, headers: mixed, keys: [OTHER_KEY] })).toThrow(TimestampOutsideToleranceError);
  });
});

describe('the names of headers', () => {
  const named = { ...received, header: 'X-Shop-Signature' };

  test('can be set as options, in upper or lower case', () => {
    expect(verify({ ...named, headers: { 'x-shop-signature': HEADER } }).keyIndex).toBe(0);
    const next = { 'X-SHOP-SIGNATURE': 'not read', 'x-shop-next': HEADER };
    expect(() => verify({ ...named, nextHeader: 'x-shop-next', headers: next })).toThrow(
      expect.objectContaining({ code: 'malformed_signature', header: 'x-shop-signature' }),
    );
  });

  test('end with -next for the next signature, unless another name is given', () => {
    const old = sign({ ...received, key: OTHER_KEY, sentAt: received.now });
    const headers = { 'x-shop-signature': old, 'x-shop-signature-next': HEADER };
    expect(verify({ ...named, headers }).keyIndex).toBe(0);
    const renamed = { 'x-shop-signature': old, 'x-shop-next': HEADER };
    expect(verify({ ...named, nextHeader: 'X-Shop-Next', headers: renamed }).keyIndex).toBe(0);
    expect(() => verify({ ...named, headers: renamed })).toThrow(SignatureMismatchError);
  });

  test('replace the default name, whose header is then not read', () => {
    expect(() => verify({ ...named, headers: { [SIGNATURE_HEADER]: HEADER } })).toThrow(MalformedSignatureError);
  });

  test.each(['', 'x y', 'x:y', 7 as never])('refuses %p', (header) => {
    expect(() => verify({ ...received, header })).toThrow(expect.objectContaining({ option: 'header' }));
    expect(() => verify({ ...received, nextHeader: header })).toThrow(
      expect.objectContaining({ option: 'nextHeader' }),
    );
  });
});
