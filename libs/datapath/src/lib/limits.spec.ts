import { describe, expect, test } from '@jest/globals';
import { syntax } from '../../test/form-data.js';
import { compile, contextOf, type Values } from '../../test/recruiting.js';
import { parseDatapath } from './syntax/datapath.js';
import { DatapathSyntaxError, type ViolationCode } from './syntax/errors.js';
import { LIMITS, type SyntaxLimits } from './syntax/limits.js';
import { parseExpression } from './syntax/parser.js';

/** Returns the code of the syntax error that `parse` throws, or null when it throws none. */
const codeOf = (parse: () => unknown): ViolationCode | null => {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof DatapathSyntaxError) return error.code;
    throw error;
  }
};

const repeat = (count: number, of: (index: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(separator);
const namesOf = (count: number): string => repeat(count, () => 'a', '.');

/** Returns an expression with `count` nodes: one for each name, and one for the chain of ORs. */
const ofNodes = (count: number): string => repeat(count - 1, () => 'a', ' OR ');

type Row = readonly [what: string, limit: number, of: (count: number) => string, code?: ViolationCode];

// The limits are written as numbers, not as constants of the library, because clients rely on them.
// Source: docs/reference/expressions.md, "Limits".
describe('limits of an expression', () => {
  const table: readonly Row[] = [
    ['characters', 4096, (count) => 'a == 1'.padEnd(count)],
    ['nested parentheses', 32, (count) => `${'('.repeat(count)}a == 1${')'.repeat(count)}`],
    ['NOTs in a row', 32, (count) => `${'NOT '.repeat(count)}a == 1`],
    ['nodes', 512, ofNodes],
    ['names in a datapath', 16, (count) => `${namesOf(count)} == 1`],
    ['characters in a name', 64, (count) => `${'a'.repeat(count)} == 1`],
    ['different datapaths', 64, (count) => repeat(count, (index) => `a${String(index)} == 1`, ' AND ')],
    ['items in a list', 1000, (count) => `a IN {${repeat(count, () => '1', ',')}}`],
    ['characters in a string', 1024, (count) => `a == "${'x'.repeat(count)}"`],
    [
      'days in a duration',
      106_751,
      (count) => `a < DATE("today") + DTDURATION(${String(count)},0,0,0)`,
      'invalid_duration',
    ],
    [
      'days in a negative duration',
      106_751,
      (count) => `a < DATE("today") + DTDURATION(-${String(count)},0,0,0)`,
      'invalid_duration',
    ],
    ['the number of a form instance', 2_147_483_647, (count) => `a.formdata.1:${String(count)} == 1`, 'invalid_path'],
    ['the value of a number', 9_007_199_254_740_991, (count) => `a == ${String(BigInt(count))}`, 'number_too_large'],
  ];
  test.each(table)('%s: at most %d', (_, limit, of, code = 'limit_exceeded') => {
    const over =
      limit === 9_007_199_254_740_991
        ? () => parseExpression('a == 9007199254740992')
        : () => parseExpression(of(limit + 1), syntax);
    expect([codeOf(() => parseExpression(of(limit), syntax)), codeOf(over)]).toEqual([null, code]);
  });

  test('accepts any number of parentheses that are not nested', () => {
    expect(codeOf(() => parseExpression(repeat(40, () => '((a == 1))', ' AND ')))).toBeNull();
  });
});

describe('limits of a datapath', () => {
  const table: readonly Row[] = [
    ['names', 16, namesOf],
    ['characters in a name', 64, (count) => 'a'.repeat(count)],
    ['the number of a section instance', 2_147_483_647, (count) => `a.formdata.1:${String(count)}`, 'invalid_path'],
  ];
  test.each(table)('%s: at most %d', (_, limit, of, code = 'limit_exceeded') => {
    expect([
      codeOf(() => parseDatapath(of(limit), syntax)),
      codeOf(() => parseDatapath(of(limit + 1), syntax)),
    ]).toEqual([null, code]);
  });

  test('limits a datapath to 4096 characters', () => {
    const codeAt = (count: number): ViolationCode | null => codeOf(() => parseDatapath(' '.repeat(count)));
    expect([codeAt(4096), codeAt(4097)]).toEqual(['invalid_path', 'limit_exceeded']);
  });
});

describe('limits of an evaluation', () => {
  const evaluate = (text: string, values: Values): boolean | undefined => compile(text).evaluate(contextOf(values));
  const listOf = (length: number): readonly string[] => Array.from({ length }, () => 'a');

  test('the result is unknown above 1000 elements of a to-many datapath', () => {
    const evaluateList = (length: number): boolean | undefined =>
      evaluate('application.tags == "a"', { 'application.tags': listOf(length) });
    expect([evaluateList(1000), evaluateList(1001)]).toEqual([true, undefined]);
  });

  test('the result is unknown above 10000 pairs of two to-many datapaths', () => {
    const evaluateLists = (left: number, right: number): boolean | undefined =>
      evaluate('application.tags == application.user.Address.City', {
        'application.tags': listOf(left),
        'application.user.Address.City': listOf(right),
      });
    expect([evaluateLists(100, 100), evaluateLists(10, 1000), evaluateLists(73, 137)]).toEqual([true, true, undefined]);
  });
});

describe('limits that a host sets for one text', () => {
  const table: readonly (readonly [keyof SyntaxLimits, string, number])[] = [
    ['textLength', 'a.b == 1', 8],
    ['nestedParentheses', '((a.b == 1))', 2],
    ['consecutiveNots', 'NOT NOT a.b == 1', 2],
    ['nodes', 'a.b == 1', 3],
    ['pathSegments', 'a.b.c == 1', 3],
    ['segmentLength', 'aa.bb == 1', 2],
    ['distinctPaths', 'a.b == 1 AND a.c == 1', 2],
    ['listItems', 'a.b IN {1, 2}', 2],
    ['stringLength', 'a.b == "xy"', 2],
  ];
  test.each(table)('%s accepts the text %s from the limit %d on', (name, text, needed) => {
    const codeWith = (limit: number): ViolationCode | null =>
      codeOf(() => parseExpression(text, { limits: { [name]: limit } }));
    expect([codeWith(needed), codeWith(needed - 1)]).toEqual([null, 'limit_exceeded']);
  });

  test('apply to a datapath that stands alone', () => {
    expect(codeOf(() => parseDatapath('a.b.c', { limits: { pathSegments: 2 } }))).toBe('limit_exceeded');
    expect(codeOf(() => parseDatapath('a.b.c', { limits: { textLength: 4 } }))).toBe('limit_exceeded');
  });

  test('have constants as defaults, which no program can change', () => {
    expect(Object.isFrozen(LIMITS)).toBe(true);
  });
});
