import { describe, expect, test } from '@jest/globals';
import { message, verbatim } from '@ats/message';
import {
  createViolation,
  DatapathCheckError,
  type DatapathViolation,
  formatViolation,
  violationFormatter,
} from './errors.js';

const violationAt = (source: string, offset: number, length = 1): string =>
  String(
    formatViolation(createViolation(source, { code: 'unexpected_token', message: message`message`, offset, length })),
  );

describe('a violation', () => {
  test('is formatted with line, column, message, hint and excerpt', () => {
    const source = 'a == 1\n  AND b = 2';
    const violation = createViolation(source, {
      code: 'wrong_operator',
      message: message`"=" is not an operator`,
      offset: 15,
      length: 1,
      hint: message`write ==`,
    });
    expect(formatViolation(violation)).toBe('2:9: "=" is not an operator; write ==\n    AND b = 2\n          ^');
  });

  test("is formatted with the caller's text instead of the library's text and hint", () => {
    const detail = { offset: 2, length: 2, hint: message`write ==` } as const;
    const wrong = createViolation('a =! 1', { code: 'wrong_operator', message: message`not "${'=!'}"`, ...detail });
    const format = violationFormatter(({ code, message: { values } }) =>
      code === 'wrong_operator' ? `kein Operator: ${String(values[0])} {0}` : undefined,
    );
    expect(format(wrong)).toBe('1:3: kein Operator: =! {0}\n  a =! 1\n    ^^');
    const other = { ...wrong, code: 'invalid_number' } as const;
    expect(format(other)).toBe(formatViolation(other));
  });

  const places: readonly (readonly [string, number, number, number])[] = [
    ['ab', 2, 1, 3],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['a\rb', 2, 2, 1],
    ['\n\n\nb', 3, 4, 1],
  ];
  test.each(places)('in %j at %d is on line %d, column %d', (source, offset, line, column) => {
    expect(createViolation(source, { code: 'unexpected_token', message: message``, offset, length: 1 })).toMatchObject({
      line,
      column,
    });
  });

  test('keeps tabs, so that the caret is below its position', () => {
    expect(violationAt('\t\ta b', 4)).toBe('1:5: message\n  \t\ta b\n  \t\t  ^');
  });

  test('marks only the line in which it begins', () => {
    expect(violationAt('a (b\nc)', 2, 5)).toBe('1:3: message\n  a (b\n    ^^');
  });

  test('shows a part of a long line', () => {
    const source = `${'a'.repeat(300)}b${'c'.repeat(300)}`;
    const [, line = '', carets = ''] = violationAt(source, 300).split('\n');
    expect(line).toBe(`  …${'a'.repeat(60)}b${'c'.repeat(39)}…`);
    expect(line[carets.indexOf('^')]).toBe('b');
  });

  test('at the end of the text has its caret after the last character', () => {
    expect(violationAt('a ==', 4, 0)).toBe('1:5: message\n  a ==\n      ^');
  });
});

test('an error with several violations has the code of the first violation and describes all violations', () => {
  const create = (code: 'unknown_name' | 'type_mismatch', offset: number): DatapathViolation =>
    createViolation('a b', { code, message: verbatim(code), offset, length: 1 });
  const error = new DatapathCheckError([create('unknown_name', 0), create('type_mismatch', 2)]);
  expect(error).toMatchObject({ name: 'DatapathCheckError', code: 'unknown_name' });
  expect(error.message).toBe('1:1: unknown_name\n  a b\n  ^\n1:3: type_mismatch\n  a b\n    ^');
});
