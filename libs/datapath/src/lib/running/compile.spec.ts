import { describe, expect, test } from '@jest/globals';
import { compile, contextOf, FAILS, type Values } from '../../../test/recruiting.js';
import { checkExpression } from '../checking/check.js';
import { compileExpression } from './compile.js';
import { DatapathTable } from './datapath-table.js';
import { LIMITS } from '../syntax/limits.js';
import { type ValueType } from '../checking/model.js';
import { parseExpression } from '../syntax/parser.js';

const evaluate = (text: string, values: Values): boolean | undefined => compile(text).evaluate(contextOf(values));

describe('an unknown value', () => {
  const table: readonly (readonly [string, boolean | undefined])[] = [
    ['application.id == 1', undefined],
    ['application.id != 1', undefined],
    ['NOT application.id < 1', undefined],
    ['application.id IN (1, null)', undefined],
    ['application.id == null', undefined],
    ['application.id + 1 == 2', undefined],
    ['application.id == application.score', undefined],
    ['application.id == 1 AND false', false],
    ['false AND application.id == 1', false],
    ['application.id == 1 AND true', undefined],
    ['application.id == 1 OR true', true],
    ['application.id == 1 OR false', undefined],
    ['NOT (application.id == 1 OR true)', false],
    ['NOT (application.id == 1 AND false)', true],
    ['(application.id == 1) == (application.score == 2)', undefined],
    ['(application.id == 1 AND false) == (application.score == 1)', true],
  ];
  test.each(table)('makes %s evaluate to %s', (text, result) => {
    expect(evaluate(text, { 'application.id': FAILS, 'application.score': 2 })).toBe(result);
  });

  test('makes test() false and throws no error', () => {
    expect(compile('application.id != 1').test(contextOf({ 'application.id': FAILS }))).toBe(false);
  });
});

describe('limits of evaluation', () => {
  const listOf = (length: number): readonly string[] => Array.from({ length }, (_, index) => `tag ${String(index)}`);

  test('the result is unknown for a list with more elements than the limit', () => {
    expect(evaluate('application.tags == "tag 0"', { 'application.tags': listOf(LIMITS.toManyElements) })).toBe(true);
    expect(
      evaluate('application.tags == "tag 0"', { 'application.tags': listOf(LIMITS.toManyElements + 1) }),
    ).toBeUndefined();
  });

  test('the result is unknown for two lists with more pairs than the limit', () => {
    const side = Math.sqrt(LIMITS.comparedPairs);
    const values = (length: number): Values => ({
      'application.tags': listOf(side),
      'application.user.Address.City': listOf(length),
    });
    expect(evaluate('application.tags == application.user.Address.City', values(side))).toBe(true);
    expect(evaluate('application.tags == application.user.Address.City', values(side + 1))).toBeUndefined();
  });

  test('compares nested conditions in linear time', () => {
    let text = '(application.id == 1)';
    for (let depth = 1; depth < LIMITS.nestedParentheses; depth++) text = `(${text} == (application.score == 2))`;
    const since = process.cpuUsage();
    expect(evaluate(text, { 'application.id': FAILS, 'application.score': FAILS })).toBeUndefined();
    expect(process.cpuUsage(since).user).toBeLessThan(1_000_000); // The limit is in microseconds of processor time.
  });
});

describe('expressions compiled with the same DatapathTable', () => {
  const check = (text: string): Parameters<typeof compileExpression>[0] => compile(text).checked;

  test('read each value of a context once, when it is first needed', () => {
    const table = new DatapathTable();
    const [first, second] = ['application.id == 1', 'application.id == 2 OR application.score == 3'].map((text) =>
      compileExpression(check(text), table),
    );
    const asked: string[] = [];
    const opened = table.open({ ...contextOf({}), valueOf: (path) => (asked.push(path), 3) });
    expect([first?.evaluateOpened(opened), second?.evaluateOpened(opened), second?.evaluateOpened(opened)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(asked).toEqual(['application.id', 'application.score']);
    expect(table.datapaths).toEqual(['application.id', 'application.score']);
  });

  test('can evaluate a context that was opened before they were compiled', () => {
    const table = new DatapathTable();
    const opened = table.open(contextOf({ 'application.id': 1 }));
    expect(compileExpression(check('application.id == 1'), table).evaluateOpened(opened)).toBe(true);
  });

  test('reject a context that another DatapathTable opened', () => {
    const compiled = compileExpression(check('application.id == 1'), new DatapathTable());
    expect(() => compiled.evaluateOpened(new DatapathTable().open(contextOf({})))).toThrow(TypeError);
    expect(() => compile('application.id == 1').evaluateOpened(new DatapathTable().open(contextOf({})))).toThrow(
      TypeError,
    );
  });

  test('can read one datapath as two types, because the object model may change between two compilations', () => {
    const modelWith = (type: ValueType) => ({
      type: () => ({ name: 'posting', attributes: { closing: { type } }, relations: {} }),
    });
    const table = new DatapathTable();
    const compileWith = (type: ValueType, text: string): ReturnType<typeof compileExpression> =>
      compileExpression(checkExpression(parseExpression(text), modelWith(type), ['posting']), table);
    const asText = compileWith('text', 'posting.closing == "2026-11-21"');
    const asDate = compileWith('date', 'posting.closing == "2026-11-21"');
    const opened = table.open(contextOf({ 'posting.closing': '2026-11-21' }));
    expect([asText.evaluateOpened(opened), asDate.evaluateOpened(opened)]).toEqual([true, true]);
    expect(table.datapaths).toEqual(['posting.closing']);
  });
});

describe('the operators < and > with the closest numbers', () => {
  const table: readonly (readonly [string, number, boolean])[] = [
    ['application.score < 0', -Number.MIN_VALUE, true],
    ['application.score < 0', 0, false],
    ['application.score > 0', Number.MIN_VALUE, true],
    ['application.score > 0', -0, false],
    ['application.score < 1', 1 - Number.EPSILON / 2, true],
    ['application.score > 1', 1 + Number.EPSILON, true],
    ['application.score > -1', -1 + Number.EPSILON / 2, true],
    ['application.score < -1', -1 - Number.EPSILON, true],
    ['application.score < 4294967296', 4294967296 - 2 ** -21, true],
    ['application.score > -4294967296', -4294967296 + 2 ** -21, true],
    ['application.score > 4294967295.9999995', 4294967296, true],
    ['application.score < 9007199254740991', 9007199254740990, true],
    ['application.score > 9007199254740991', 9007199254740992, true],
  ];
  test.each(table)('%s with the score %d is %s', (text, value, result) => {
    expect(evaluate(text, { 'application.score': value })).toBe(result);
  });
});
