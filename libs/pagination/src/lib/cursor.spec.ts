import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { inEnglish } from '../../test/in-english.js';
import { CursorCodec } from './cursor.js';
import { MAX_CURSOR_LENGTH } from './limits.js';
import { linkHeader } from './link-header.js';
import { parsePageParameters } from './page-parameters.js';
import { readLinks } from '../../test/read-links.js';

const SECRET_KEY = 'a secret key of more than 32 characters';
const codec = new CursorCodec(SECRET_KEY);
const cursor = { keys: ['Müller', null, '17'] };
const sealed = (keys: readonly (string | null)[] = cursor.keys, fingerprint = 'candidates?sort=lastname'): string => {
  const text = codec.seal({ keys }, fingerprint);
  if (text === undefined) throw new Error('too long');
  return text;
};
/** Makes an id whose cursor has a text of the given length. */
const idOf = (length: number): string => '9'.repeat(Math.floor((length * 3) / 4) - 12 - 16 - '[""]'.length);

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const anyKeys = fc.array(fc.option(anyText), { maxLength: 4 });

describe('CursorCodec', () => {
  test('opens a cursor that it has sealed', () => {
    expect(codec.open(sealed(), 'candidates?sort=lastname')).toEqual(cursor);
  });

  test('seals with AES-256-GCM and a nonce that is an HMAC of the fingerprint and the sort keys', () => {
    const keys = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'pagination/cursor/1', 64));
    const bytes = Buffer.from(sealed(), 'base64url');
    const nonce = createHmac('sha256', keys.subarray(32))
      .update('["candidates?sort=lastname",["Müller",null,"17"]]')
      .digest()
      .subarray(0, 12);
    const decipher = createDecipheriv('aes-256-gcm', keys.subarray(0, 32), nonce).setAAD(
      Buffer.from('candidates?sort=lastname'),
    );
    decipher.setAuthTag(bytes.subarray(-16));
    expect(bytes.subarray(0, 12)).toEqual(nonce);
    expect(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()).toBe(
      '["Müller",null,"17"]',
    );
  });

  test('hides the sort keys, and makes the same cursor for the same position', () => {
    expect(Buffer.from(sealed(), 'base64url').includes('ller')).toBe(false);
    expect(sealed()).toBe(sealed());
    expect(Buffer.from(sealed(['1']), 'base64url').subarray(0, 12)).not.toEqual(
      Buffer.from(sealed(['2']), 'base64url').subarray(0, 12),
    );
  });

  test('opens cursors of both keys and makes those of the first key while the key is rotated', () => {
    const NEXT_KEY = 'the next key of more than 32 characters';
    const steps = [
      codec,
      new CursorCodec(SECRET_KEY, { otherKey: NEXT_KEY }),
      new CursorCodec(NEXT_KEY, { otherKey: SECRET_KEY }),
      new CursorCodec(NEXT_KEY),
    ];
    const made = steps.map((step) => step.seal({ keys: ['1'] }, 'users?sort=id') ?? '');
    expect([made[0], made[2]]).toEqual([made[1], made[3]]);
    for (const [index, step] of steps.entries())
      for (const text of made.slice(Math.max(index - 1, 0), index + 2))
        expect(step.open(text, 'users?sort=id')).toEqual({ keys: ['1'] });
  });

  test.each([
    ['of another query', sealed(), 'candidates?sort=firstname', codec],
    ['of another collection', sealed(), 'users?sort=lastname', codec],
    ['of another service', sealed(), 'candidates?sort=lastname', new CursorCodec(`${SECRET_KEY}!`)],
    ['that was cut', sealed().slice(0, -4), 'candidates?sort=lastname', codec],
    ['without its tag', sealed().slice(0, 16), 'candidates?sort=lastname', codec],
    ['with text after its end', `${sealed()}!`, 'candidates?sort=lastname', codec],
    ['with padding', `${sealed(['1'])}==`, 'candidates?sort=lastname', codec],
    [
      'in another alphabet',
      sealed().replaceAll('-', '+').replaceAll('_', '/').concat('='),
      'candidates?sort=lastname',
      codec,
    ],
    ['that was invented', 'page2', 'candidates?sort=lastname', codec],
    ['that is empty', '', 'candidates?sort=lastname', codec],
  ])('returns the same violation for a cursor %s', (_, text, fingerprint, by) => {
    const found = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    const rest =
      'belongs to another query or is incomplete: follow the links of the answers unchanged, or send page without a cursor';
    expect(inEnglish(by.open(text, fingerprint))).toEqual({
      violation: {
        parameter: 'after',
        code: 'invalid',
        message: `the cursor ${found} ${rest}`,
      },
    });
  });

  test('does not open a cursor in which any bit was changed', () => {
    const bytes = Buffer.from(sealed(), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(codec.open(changed.toString('base64url'), 'candidates?sort=lastname').violation).toBeDefined();
    }
  });

  test(`makes cursors of at most ${MAX_CURSOR_LENGTH} characters, and none for longer keys`, () => {
    const longest = sealed([idOf(MAX_CURSOR_LENGTH)]);
    expect(longest).toHaveLength(MAX_CURSOR_LENGTH);
    expect(parsePageParameters([['after', longest]])).toEqual({ page: 1, perPage: 100, after: longest });
    expect(codec.seal({ keys: [`${idOf(MAX_CURSOR_LENGTH)}9`] }, 'candidates')).toBeUndefined();
  });

  test('returns any sort keys unchanged from a link, for any fingerprint', () => {
    fc.assert(
      fc.property(anyKeys, anyText, (keys, fingerprint) => {
        const url = 'https://ats.example/api/v1/candidates?sort=lastname!asc';
        const next =
          readLinks(
            linkHeader({ url, page: 1, perPage: 100, hasNext: true, after: codec.seal({ keys }, fingerprint) }),
          ).get('next') ?? '';
        const read = parsePageParameters(new URL(next).searchParams);
        expect(codec.open(read.violations ? '' : (read.after ?? ''), fingerprint)).toEqual({ keys });
      }),
    );
  });

  test('makes different cursors for different queries and for different positions', () => {
    const place = fc.tuple(anyKeys, fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(place, place, ([keys, fingerprint], [otherKeys, otherFingerprint]) => {
        const isSame = JSON.stringify([keys, fingerprint]) === JSON.stringify([otherKeys, otherFingerprint]);
        expect(sealed(keys, fingerprint) === sealed(otherKeys, otherFingerprint)).toBe(isSame);
        if (fingerprint !== otherFingerprint)
          expect(codec.open(sealed(keys, fingerprint), otherFingerprint).violation).toBeDefined();
      }),
    );
  });

  test('returns a cursor or a violation for any text, and never throws', () => {
    const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), bytes), anyText, (text, fingerprint) => {
        expect(codec.open(text, fingerprint).violation?.parameter).toBe('after');
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['A'.repeat(10_000_000), '\u0000'.repeat(100_000), '\ud800'.repeat(100_000)])(
    'rejects a very long text within a second (%#)',
    (text) => {
      const since = process.cpuUsage();
      expect(String(codec.open(text, 'candidates').violation?.message).length).toBeLessThan(500);
      expect(process.cpuUsage(since).user).toBeLessThan(1_000_000); // The limit is in microseconds of processor time.
    },
  );
});

describe('options of the host', () => {
  test('make CursorCodec reject a cursor of another purpose, with the parameter names of the host', () => {
    const shop = new CursorCodec(SECRET_KEY, { purpose: 'shop/cursor/1', names: { page: 'p', after: 'cursor' } });
    const text = codec.seal({ keys: ['1'] }, 'orders') ?? '';
    expect(codec.open(text, 'orders')).toEqual({ keys: ['1'] });
    expect(shop.open(text, 'orders').violation).toMatchObject({ parameter: 'cursor' });
    expect(String(shop.open(text, 'orders').violation?.message)).toMatch(/send p without a cursor$/);
  });
});
