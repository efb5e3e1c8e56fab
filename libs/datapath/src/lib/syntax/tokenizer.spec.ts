import { describe, expect, test } from '@jest/globals';
import { type EnglishViolation, inEnglish } from '../../../test/english.js';
import { DatapathSyntaxError } from './errors.js';
import { LIMITS } from './limits.js';
import { KEYWORDS } from './token.js';
import { tokenize } from './tokenizer.js';

const kindsOf = (text: string): string[] => tokenize(text, {}).map(({ kind }) => kind);

const violationOf = (text: string): EnglishViolation => {
  try {
    tokenize(text, {});
  } catch (error) {
    if (error instanceof DatapathSyntaxError) return inEnglish(error.violation);
  }
  throw new Error(`no violation in ${text}`);
};

describe('the tokens of an expression', () => {
  test('end with a token for the end', () => {
    expect(tokenize(' \t\r\n', {})).toEqual([{ kind: 'end', offset: 4, length: 0 }]);
  });

  test.each(KEYWORDS)('contain the keyword %s, in upper and lower case', (keyword) => {
    expect(
      kindsOf(`${keyword} ${keyword.toLowerCase()} ${keyword.charAt(0)}${keyword.slice(1).toLowerCase()}`),
    ).toEqual([keyword, keyword, keyword, 'end']);
  });

  test('need no blanks between them', () => {
    expect(kindsOf('a<=-1+b!~"x"')).toEqual(['path', '<=', '-', 'number', '+', 'path', '!~', 'string', 'end']);
  });

  test('have a position', () => {
    expect(tokenize('a  ==\n"b\\n"', {}).map(({ offset, length }) => [offset, length])).toEqual([
      [0, 1],
      [3, 2],
      [6, 5],
      [11, 0],
    ]);
  });

  test('contain the longest operator that matches', () => {
    expect(kindsOf('< <= > >= == != =~ !~')).toEqual(['<', '<=', '>', '>=', '==', '!=', '=~', '!~', 'end']);
  });

  const numbers: readonly (readonly [string, number, boolean])[] = [
    ['0', 0, true],
    ['007', 7, true],
    ['4.25', 4.25, false],
    ['1.0', 1, false],
    ['9007199254740991', Number.MAX_SAFE_INTEGER, true],
  ];
  test.each(numbers)('contain the number %s', (text, value, isInteger) => {
    expect(tokenize(text, {})[0]).toEqual({ kind: 'number', offset: 0, length: text.length, value, isInteger });
  });

  const strings: readonly (readonly [string, string])[] = [
    ['""', ''],
    ['"it\'s"', "it's"],
    ['\'say "hi"\'', 'say "hi"'],
    ['"a\\"b\\\\c\\\'d"', 'a"b\\c\'d'],
    ['"\\n\\r\\t"', '\n\r\t'],
    ['"\\u00e4\\u00C4"', 'äÄ'],
    ['"😀"', '😀'],
  ];
  test.each(strings)('contain the string %s', (text, value) => {
    expect(tokenize(text, {})[0]).toMatchObject({ kind: 'string', value, length: text.length });
  });

  const violations: readonly (readonly [string, string, number, number])[] = [
    ['1.', 'invalid_number', 0, 2],
    ['1.2.3', 'invalid_number', 0, 5],
    ['1e5', 'invalid_number', 0, 3],
    ['0x1F', 'invalid_number', 0, 4],
    ['12abc', 'invalid_number', 0, 5],
    ['.5', 'unexpected_character', 0, 1],
    ['9007199254740992', 'number_too_large', 0, 16],
    ['"abc', 'unterminated_string', 0, 4],
    ['"abc\n"', 'unterminated_string', 0, 4],
    ['"abc\\', 'invalid_escape', 4, 1],
    ['"\\x41"', 'invalid_escape', 1, 2],
    ['"\\u12g4"', 'invalid_escape', 1, 2],
    ['a @ b', 'unexpected_character', 2, 1],
    ['a ; b', 'unexpected_character', 2, 1],
    ['a\u00a0== 1', 'unexpected_character', 1, 1],
    ['😀', 'unexpected_character', 0, 2],
    ['\u0000', 'unexpected_character', 0, 1],
  ];
  test.each(violations)('cannot be read from %j: %s', (text, code, offset, length) => {
    expect(violationOf(text)).toMatchObject({ code, offset, length });
  });

  const foreignOperators: readonly (readonly [string, string, string])[] = [
    ['a = 1', '=', 'write =='],
    ['a === 1', '===', 'write =='],
    ['a !== 1', '!==', 'write !='],
    ['a <> 1', '<>', 'write !='],
    ['a && b', '&&', 'write AND'],
    ['a & b', '&', 'write AND'],
    ['a || b', '||', 'write OR'],
    ['a | b', '|', 'write OR'],
    ['!a', '!', 'write NOT'],
    ['a ~ "x"', '~', 'write =~'],
    ['a =< 1', '=<', 'write <='],
    ['a => 1', '=>', 'write >='],
    ['a[0]', '[', 'conditions on one element of a list are not supported'],
  ];
  test.each(foreignOperators)('cannot be read from %s, and the hint is about %s', (text, found, hint) => {
    expect(violationOf(text)).toMatchObject({ code: 'wrong_operator', found, hint, length: found.length });
  });

  test('cannot contain an invisible character, which is reported by its code point', () => {
    expect(violationOf('a\u00a0== 1').message).toBe('unexpected character U+00A0');
  });

  test('cannot be read from a text above the limit of characters', () => {
    expect(tokenize(' '.repeat(LIMITS.textLength), {})).toHaveLength(1);
    expect(violationOf(' '.repeat(LIMITS.textLength + 1))).toMatchObject({
      code: 'limit_exceeded',
      offset: LIMITS.textLength,
    });
  });

  test('cannot contain a string that is above the limit of characters after unescaping', () => {
    const escaped = '\\n'.repeat(LIMITS.stringLength);
    expect(tokenize(`"${escaped}"`, {})[0]).toMatchObject({ value: '\n'.repeat(LIMITS.stringLength) });
    expect(violationOf(`"${escaped}x"`)).toMatchObject({ code: 'limit_exceeded', offset: 0 });
  });
});
