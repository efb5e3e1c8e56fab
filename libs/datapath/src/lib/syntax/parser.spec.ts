import { describe, expect, test } from '@jest/globals';
import { syntax } from '../../../test/form-data.js';
import { type EnglishViolation, inEnglish } from '../../../test/english.js';
import { printExpression } from '../../../test/print-expression.js';
import { DatapathSyntaxError } from './errors.js';
import { LIMITS } from './limits.js';
import { parseExpression } from './parser.js';

const violationOf = (text: string): EnglishViolation => {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof DatapathSyntaxError) return inEnglish(error.violation);
  }
  throw new Error(`no violation in ${text}`);
};

describe('the canonical text', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', ''],
    [' \n ', ''],
    ['a==1', 'a == 1'],
    ['A.b == 1', 'A.b == 1'],
    ['a == 1 and b == 2 Or c == 3', 'a == 1 AND b == 2 OR c == 3'],
    ['(a == 1 and b == 2) or c == 3', 'a == 1 AND b == 2 OR c == 3'],
    ['a == 1 and (b == 2 or c == 3)', 'a == 1 AND (b == 2 OR c == 3)'],
    ['((a == 1 and b == 2) and c == 3)', 'a == 1 AND b == 2 AND c == 3'],
    ['a == 1 OR (b == 2 OR c == 3)', 'a == 1 OR b == 2 OR c == 3'],
    ['not a', 'NOT a'],
    ['NOT NOT a', 'NOT NOT a'],
    ['NOT a == 1', 'NOT (a == 1)'],
    ['NOT (a) == 1', 'NOT (a == 1)'],
    ['(NOT a) == true', '(NOT a) == true'],
    ['NOT a AND b', 'NOT a AND b'],
    ['NOT (a AND b)', 'NOT (a AND b)'],
    ['(a == 1) == (b == 2)', '(a == 1) == (b == 2)'],
    ['a in (1,2)', 'a IN {1, 2}'],
    ['a NOT IN {"x"}', 'a NOT IN {"x"}'],
    ['a IN {-1, null, TRUE, date("today")}', 'a IN {-1, null, true, DATE("today")}'],
    ["a == 'it\\'s \"x\"'", 'a == "it\'s \\"x\\""'],
    ['a == "\\u0007\\n\\u2028ä"', 'a == "\\u0007\\n\\u2028ä"'],
    ['a == "\\ud800\\uD83D\\uDE00"', 'a == "\\ud800😀"'],
    ['a == 1.50', 'a == 1.5'],
    ['a == -0', 'a == 0'],
    ['a == - 7', 'a == -7'],
    ['a == 0.00000012', 'a == 0.00000012'],
    ['a + 1 - 2 < 3', 'a + 1 - 2 < 3'],
    ['a - (1 - 2) < 3', 'a - (1 - 2) < 3'],
    ['a - -1 < 3', 'a - -1 < 3'],
    ["a <= date('today')-dtduration(7,0,0,0)", 'a <= DATE("today") - DTDURATION(7, 0, 0, 0)'],
    ['a <= DATE("today") + -DTDURATION(1,-2,3,4)', 'a <= DATE("today") + -DTDURATION(1, -2, 3, 4)'],
    ['application.formdata.21:2:1 =~ "x"', 'application.formdata.21:2:1 =~ "x"'],
  ];
  test.each(table)('of %j is %j', (text, canonical) => {
    expect(printExpression(parseExpression(text, syntax))).toBe(canonical);
  });
});

describe('precedence, from tight to loose: comparison, NOT, AND, OR', () => {
  const table: readonly (readonly [string, string])[] = [
    ['a OR b AND c', 'a OR (b AND c)'],
    ['NOT a == 1 AND b', '(NOT (a == 1)) AND b'],
    ['NOT a OR b', '(NOT a) OR b'],
    ['a + 1 == b - 1', '(a + 1) == (b - 1)'],
    ['a - 1 + b IN {1}', '((a - 1 + b)) IN {1}'],
  ];
  test.each(table)('parses %s as %s', (text, explicit) => {
    expect(printExpression(parseExpression(text))).toBe(printExpression(parseExpression(explicit)));
  });
});

describe('a text that is not a valid expression', () => {
  const table: readonly (readonly [string, string, number, number])[] = [
    ['a ==', 'unexpected_end', 1, 5],
    ['a == == 1', 'unexpected_token', 1, 6],
    ['a b', 'unexpected_token', 1, 3],
    ['(a', 'unexpected_end', 1, 3],
    ['a)', 'unexpected_token', 1, 2],
    ['()', 'unexpected_token', 1, 2],
    ['AND a', 'unexpected_token', 1, 1],
    ['a AND', 'unexpected_end', 1, 6],
    ['a OR\n\nOR b', 'unexpected_token', 3, 1],
    ['a == b == c', 'chained_comparison', 1, 8],
    ['a < 1 < 2', 'chained_comparison', 1, 7],
    ['a NOT 1', 'unexpected_token', 1, 7],
    ['a IN 1', 'unexpected_token', 1, 6],
    ['a IN ()', 'unexpected_token', 1, 7],
    ['a IN (1,)', 'unexpected_token', 1, 9],
    ['a IN (1}', 'unexpected_token', 1, 8],
    ['a IN {b}', 'unexpected_token', 1, 7],
    ['a IN {1 2}', 'unexpected_token', 1, 9],
    ['-a == 1', 'unexpected_token', 1, 2],
    ['--1 == 1', 'unexpected_token', 1, 2],
    ['a == -"x"', 'unexpected_token', 1, 7],
    ['DATE == 1', 'unexpected_token', 1, 6],
    ['DATE(today)', 'unexpected_token', 1, 6],
    ['DATE("tomorrow")', 'invalid_date', 1, 6],
    ['DATE("TODAY")', 'invalid_date', 1, 6],
    ['DATE("2026-02-30")', 'invalid_date', 1, 6],
    ['DATE("2026-11-21T10:00")', 'invalid_date', 1, 6],
    ['DTDURATION(1,2,3)', 'invalid_duration', 1, 1],
    ['DTDURATION(1,2,3,4,5)', 'invalid_duration', 1, 1],
    ['DTDURATION(1,2,3,4.0)', 'invalid_duration', 1, 1],
    ['DTDURATION(1,2,3,"4")', 'invalid_duration', 1, 1],
    ['DTDURATION()', 'invalid_duration', 1, 1],
    ['DTDURATION', 'unexpected_end', 1, 11],
    ['foo(1)', 'unexpected_token', 1, 4],
  ];
  test.each(table)('is rejected: %j as %s at %d:%d', (text, code, line, column) => {
    expect(violationOf(text)).toMatchObject({ code, line, column });
  });

  test('is rejected with the expected tokens and the found one', () => {
    expect(violationOf('a IN 1')).toMatchObject({
      message: 'expected "(" or "{" but found "1"',
      expected: ['"("', '"{"'],
      found: '"1"',
    });
  });
});

describe('the limits of the parser', () => {
  const nested = (depth: number): string => '('.repeat(depth) + 'a' + ')'.repeat(depth);
  const listOf = (count: number): string => `a IN {${Array.from({ length: count }, () => '1').join(',')}}`;
  const pathsOf = (count: number): string =>
    Array.from({ length: count }, (_, index) => `p${String(index)}`).join(' OR ');
  const nodesOf = (count: number): string => Array.from({ length: count - 1 }, () => 'a').join(' OR ');
  const table: readonly (readonly [string, (size: number) => string, number])[] = [
    ['nested parentheses', nested, LIMITS.nestedParentheses],
    ['NOTs in a row', (count) => 'NOT '.repeat(count) + 'a', LIMITS.consecutiveNots],
    ['items of a list', listOf, LIMITS.listItems],
    ['different datapaths', pathsOf, LIMITS.distinctPaths],
    ['parts', nodesOf, LIMITS.nodes],
    ['days of a duration', (days) => `DTDURATION(${String(-days)},0,0,0)`, LIMITS.durationDays],
  ];
  test.each(table)('allow no more than the maximum number of %s', (_, textOf, limit) => {
    expect(parseExpression(textOf(limit)).condition).not.toBeNull();
    expect(['limit_exceeded', 'invalid_duration']).toContain(violationOf(textOf(limit + 1)).code);
  });

  test('do not count adjacent parentheses as nested', () => {
    const text = Array.from({ length: LIMITS.nestedParentheses + 1 }, () => '(a)').join(' AND ');
    expect(parseExpression(text).condition).not.toBeNull();
  });

  test('count a list as one node', () => {
    expect(parseExpression(listOf(LIMITS.listItems)).condition).toMatchObject({ kind: 'in' });
  });

  test('limit the sum of the absolute values of all four arguments of a duration', () => {
    const days = String(LIMITS.durationDays - 1);
    expect(parseExpression(`DTDURATION(${days},-24,0,0)`).condition).not.toBeNull();
    expect(violationOf(`DTDURATION(${days},-24,0,-1)`).code).toBe('invalid_duration');
  });
});
