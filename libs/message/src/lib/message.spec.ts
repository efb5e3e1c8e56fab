import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Message, message, packed, patternOf, unpacked, verbatim } from '../index.js';

describe('message', () => {
  test('is an English text and the key of its translations', () => {
    const one = message`expected at most ${3} items, found ${'"a"'}`;
    expect([String(one), one.pattern, one.values]).toEqual([
      'expected at most 3 items, found "a"',
      'expected at most {0} items, found {1}',
      [3, '"a"'],
    ]);
  });

  test('has other messages and lists as values', () => {
    expect(
      String(message`its ${'body'} cannot be read: ${message`expected one of ${['a', 'b', message`c${1}`]}`}`),
    ).toBe('its body cannot be read: expected one of a, b, c1');
  });

  test('quotes the special characters of ICU', () => {
    const one = message`it's "}}" after "{{" and {0} is ${'{1}'}`;
    expect(one.pattern).toBe(`it''s "'}}'" after "'{{'" and '{'0'}' is {0}`);
    expect(String(one)).toBe(`it's "}}" after "{{" and {0} is {1}`);
  });

  test('becomes its English text in JSON', () => {
    expect(JSON.stringify({ info: message`expected ${'x'}` })).toBe('{"info":"expected x"}');
  });

  test('keeps any text unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => String(verbatim(text)) === text));
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '{', '}', `'`, '0', ' ') }), { minLength: 1 }),
        (texts) => {
          const one = message(Object.assign(texts, { raw: texts }), ...texts.slice(1).map(() => '|'));
          expect([String(one), one.pattern]).toEqual([texts.join('|'), patternOf(texts)]);
        },
      ),
    );
  });
});

describe('packed', () => {
  test('returns the same message after packing and unpacking', () => {
    const one: Message = message`a ${1} ${'b'} ${[message`c ${'d'}`, 'e']}`;
    expect(unpacked(packed(one))).toEqual(one);
    expect(unpacked('a 1 b')).toBeUndefined();
  });
});
