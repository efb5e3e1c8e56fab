import { describe, expect, test } from '@jest/globals';
import { syntax } from '../../../test/form-data.js';
import { type EnglishViolation, inEnglish } from '../../../test/english.js';
import { type Datapath, parseDatapath } from './datapath.js';
import { DatapathSyntaxError } from './errors.js';
import { LIMITS } from './limits.js';

const violationOf = (text: string): EnglishViolation => {
  try {
    parseDatapath(text, syntax);
  } catch (error) {
    if (error instanceof DatapathSyntaxError) return inEnglish(error.violation);
  }
  throw new Error(`no violation in ${text}`);
};

describe('a standalone datapath', () => {
  const accepted: readonly (readonly [string, Omit<Datapath, 'text'>])[] = [
    ['application', { names: ['application'] }],
    ['application.user.firstname', { names: ['application', 'user', 'firstname'] }],
    ['user.Address.City', { names: ['user', 'Address', 'City'] }],
    ['_a1._2b', { names: ['_a1', '_2b'] }],
    ['application.or.not', { names: ['application', 'or', 'not'] }],
    ['application.__proto__', { names: ['application', '__proto__'] }],
    ['application.formdata', { names: ['application', 'formdata'] }],
    ['application.formdata.21', { names: ['application'], key: { collection: 'formdata', parts: ['21'] } }],
    ['application.formdata.21:2', { names: ['application'], key: { collection: 'formdata', parts: ['21', '2'] } }],
    [
      'application.formdata.21:2:1',
      { names: ['application'], key: { collection: 'formdata', parts: ['21', '2', '1'] } },
    ],
    [
      'application.opportunity.formdata.salary',
      { names: ['application', 'opportunity'], key: { collection: 'formdata', parts: ['salary'] } },
    ],
    ['formdata.21:1', { names: [], key: { collection: 'formdata', parts: ['21', '1'] } }],
    ['formdata', { names: ['formdata'] }],
  ];
  test.each(accepted)('is parsed: %s', (text, path) => {
    expect(parseDatapath(text, syntax)).toEqual({ text, ...path });
  });

  const rejected: readonly (readonly [string, string, number])[] = [
    ['', 'unexpected_end', 0],
    [' a', 'invalid_path', 0],
    ['a ', 'unexpected_character', 1],
    ['a b', 'unexpected_character', 1],
    ['a..b', 'invalid_path', 2],
    ['a.', 'invalid_path', 2],
    ['.a', 'invalid_path', 0],
    ['1a', 'invalid_path', 0],
    ['a.1', 'invalid_path', 2],
    ['a[0]', 'unexpected_character', 1],
    ['a.b()', 'unexpected_character', 3],
    ['a-b', 'unexpected_character', 1],
    ['größe', 'unexpected_character', 2],
    ['a.formdata.', 'invalid_path', 11],
    ['a.formdata.21:', 'invalid_path', 14],
    ['a.formdata.21:0', 'invalid_path', 14],
    ['a.formdata.21:01', 'invalid_path', 14],
    ['a.formdata.21:x', 'invalid_path', 14],
    ['a.formdata.21:2:1:1', 'invalid_path', 17],
    ['a.formdata.21:2147483648', 'invalid_path', 14],
    ['a.formdata.21.b', 'invalid_path', 13],
  ];
  test.each(rejected)('is rejected: %j as %s at %d', (text, code, offset) => {
    expect(violationOf(text)).toMatchObject({ code, offset });
  });

  test('has a violation that suggests a collection when a key is written as a name', () => {
    expect(violationOf('application.21').hint).toBe('write a form item as "formdata.<item>"');
  });

  test('cannot have more names than the limit', () => {
    const names = Array.from({ length: LIMITS.pathSegments }, (_, index) => `n${String(index)}`);
    expect(parseDatapath(names.join('.')).names).toEqual(names);
    expect(violationOf([...names, 'more'].join('.'))).toMatchObject({ code: 'limit_exceeded', length: 4 });
  });

  test('cannot have names above the limit of characters', () => {
    const name = 'n'.repeat(LIMITS.segmentLength);
    expect(parseDatapath(`a.${name}`).names[1]).toBe(name);
    expect(violationOf(`a.${name}n`)).toMatchObject({ code: 'limit_exceeded', offset: 2 });
    expect(violationOf(`a.formdata.${name}n`)).toMatchObject({ code: 'limit_exceeded', offset: 11 });
  });

  test('cannot be longer than an expression', () => {
    expect(violationOf('a'.repeat(LIMITS.textLength + 1))).toMatchObject({
      code: 'limit_exceeded',
      offset: LIMITS.textLength,
    });
  });
});
