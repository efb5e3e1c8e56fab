import { describe, expect, test } from '@jest/globals';
import { inEnglish } from '../../test/in-english.js';
import { findOnly } from './find-only.js';

const find = (query: string) => findOnly(new URLSearchParams(query), 'layout');

describe('findOnly', () => {
  test.each([
    ['layout=7', '7'],
    ['page=2&layout=7&Layout=8', '7'],
    ['layout=', ''],
    ['layouts=7', undefined],
    ['', undefined],
  ])('finds the value in "%s"', (query, text) => {
    expect(find(query)).toBe(text);
  });

  test.each([
    ['layout=7&layout=7', '2 times: "7", "7"'],
    ['layout=7&page=1&layout=%00"', '2 times: "7", "\\u0000\\""'],
    ['layout=1&layout=2&layout=3&layout=4', '4 times: "1", "2", "3", …'],
    [`layout=1&layout=${'x'.repeat(41)}`, `2 times: "1", "${'x'.repeat(40)}…"`],
  ])('returns one violation for "%s" that quotes the values', (query, found) => {
    expect(inEnglish(find(query))).toEqual({
      parameter: 'layout',
      code: 'invalid',
      message: `expected the parameter once, found ${found}`,
    });
  });
});
