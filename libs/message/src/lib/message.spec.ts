import { inspect } from 'node:util';
import { describe, expect, it, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Message, message, packed, patternOf, unpacked, verbatim } from '../index.js';
import type * as MessageModule from './message.js';

describe('the tag message', () => {
  test('returns the English text and the key of its translations', () => {
    const one = message`expected at most ${3} items, found ${'"a"'}`;
    expect([String(one), one.pattern, one.values]).toEqual([
      'expected at most 3 items, found "a"',
      'expected at most {0} items, found {1}',
      [3, '"a"'],
    ]);
  });

  test('accepts other messages and lists as values', () => {
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

describe('two copies of the package', () => {
  /** Loads the module a second time. This simulates a second installed version. */
  async function otherCopy(): Promise<typeof MessageModule> {
    let copy: typeof MessageModule | undefined;
    await jest.isolateModulesAsync(async () => {
      copy = await import('./message.js');
    });
    if (copy === undefined) throw new Error('expected a second copy of the module');
    return copy;
  }

  it('a message of one copy can be a value of a message of the other', async () => {
    const other = await otherCopy();
    expect(other.Message).not.toBe(Message);
    const inner = other.message`expected at most ${10} items`;
    expect(inner instanceof Message).toBe(true);
    expect(message`a` instanceof other.Message).toBe(true);
    expect(String(message`it failed: ${inner}`)).toBe('it failed: expected at most 10 items');
    expect(String(unpacked(packed(message`it failed: ${[inner]}`)))).toBe('it failed: expected at most 10 items');
  });

  it.each([null, undefined, 'text', 1, {}, [], { pattern: 'a', values: [] }])('%p is no message', (value) => {
    expect(value instanceof Message).toBe(false);
  });
});

it('a message is printed as its English text', () => {
  expect(inspect(message`expected at most ${10} items`)).toBe('expected at most 10 items');
});
