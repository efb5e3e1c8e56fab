// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MalformedSignatureError, SignatureMismatchError } from './errors.js';
import { sign, SIGNATURE_HEADER, verify } from './signature.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const bodies = fc.uint8Array({ maxLength: 300 });
const keys = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' });
/** Generates whole seconds in the years 1970 to 9999. */
const times = fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => new Date(seconds * 1000));
const changes = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });

function changeByte(bytes: Uint8Array, { at, by }: { at: number; by: number }): Buffer {
  const changed = Buffer.from(bytes);
  const index = at % changed.length;
  changed[index] = (changed[index] ?? 0) ^ by;
  return changed;
}

describe('sign and verify, for any message', () => {
  test('verify accepts what sign made', () => {
    fc.assert(
      fc.property(bodies, keys, times, (body, key, sentAt) => {
        const header = sign({ body, key, sentAt });
        expect(
          verify({ body, headers: { [SIGNATURE_HEADER]: header }, keys: [key], toleranceSeconds: 0, now: sentAt }),
        ).toEqual({ timestamp: sentAt, keyIndex: 0 });
      }),
    );
  });

  test('text and its UTF-8 bytes have the same signature', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), keys, times, (body, key, sentAt) => {
        expect(sign({ body, key, sentAt })).toBe(sign({ body: Buffer.from(body, 'utf8'), key, sentAt }));
      }),
    );
  });

  test('a changed byte of the body never verifies', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), keys, times, changes, (body, key, now, change) => {
        const headers = { [SIGNATURE_HEADER]: sign({ body, key, sentAt: now }) };
        const options = { body: changeByte(body, change), headers, keys: [key], toleranceSeconds: Infinity, now };
        expect(() => verify(options)).toThrow(SignatureMismatchError);
      }),
    );
  });

  test('a changed byte of the key never verifies', () => {
    fc.assert(
      fc.property(bodies, fc.stringMatching(/^[0-9a-f]{64}$/), times, changes, (body, key, now, { at, by }) => {
        // Only the lowest seven bits change, so that the text of the key keeps its number of bytes.
        const changed = changeByte(Buffer.from(key), { at, by: (by % 127) + 1 }).toString('latin1');
        const headers = { [SIGNATURE_HEADER]: sign({ body, key, sentAt: now }) };
        const options = { body, headers, keys: [changed], toleranceSeconds: Infinity, now };
        expect(() => verify(options)).toThrow(SignatureMismatchError);
      }),
    );
  });

  test('a changed byte of the header, timestamp or signature, never verifies', () => {
    fc.assert(
      fc.property(bodies, keys, times, changes, (body, key, now, change) => {
        const header = changeByte(Buffer.from(sign({ body, key, sentAt: now })), change).toString('latin1');
        const options = { body, headers: { [SIGNATURE_HEADER]: header }, keys: [key], toleranceSeconds: Infinity, now };
        expect(() => verify(options)).toThrow(/expected <yyyy|no signing key/);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a signature never verifies with the timestamp of another one', () => {
    fc.assert(
      fc.property(bodies, keys, times, times, (body, key, sentAt, other) => {
        fc.pre(sentAt.getTime() !== other.getTime());
        const signature = sign({ body, key, sentAt }).split(',')[1] ?? '';
        const timestamp = sign({ body, key, sentAt: other }).split(',')[0] ?? '';
        const options = {
          body,
          headers: { [SIGNATURE_HEADER]: `${timestamp},${signature}` },
          keys: [key],
          toleranceSeconds: Infinity,
          now: other,
        };
        expect(() => verify(options)).toThrow(SignatureMismatchError);
      }),
    );
  });

  test('rejects any other text as a header with a typed error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (header) => {
        const headers = { [SIGNATURE_HEADER]: header };
        expect(() => verify({ body: '', headers, keys: ['key'], toleranceSeconds: 300, now: new Date() })).toThrow(
          MalformedSignatureError,
        );
      }),
    );
  });
});
