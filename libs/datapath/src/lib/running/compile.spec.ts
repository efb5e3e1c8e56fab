import { describe, expect, test } from '@jest/globals';
import { compile, contextOf, FAILS, type Values } from '../../../test/recruiting.js';
import { checkExpression } from '../checking/check.js';
import { compileExpression } from './compile.js';
import { DatapathTable } from './datapath-table.js';
import { LIMITS } from '../syntax/limits.js';
import { type ValueType } from '../checking/model.js';
import { parseExpression } from '../syntax/parser.js';

const judge = (text: string, values: Values): boolean | undefined => compile(text).judge(contextOf(values));

describe('an unknown part', () => {
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
  test.each(table)('%s is %s', (text, result) => {
    expect(judge(text, { 'application.id': FAILS, 'application.score': 2 })).toBe(result);
  });

  test('makes a test false, never an error', () => {
    expect(compile('application.id != 1').test(contextOf({ 'application.id': FAILS }))).toBe(false);
  });
});

describe('limits of evaluation', () => {
  const listOf = (length: number): readonly string[] => Array.from({ length }, (_, index) => `tag ${String(index)}`);

  test('a list has as many elements as the limit; with more nothing can be said', () => {
    expect(judge('application.tags == "tag 0"', { 'application.tags': listOf(LIMITS.toManyElements) })).toBe(true);
    expect(
      judge('application.tags == "tag 0"', { 'application.tags': listOf(LIMITS.toManyElements + 1) }),
    ).toBeUndefined();
  });

  test('two lists have as many pairs as the limit; with more nothing can be said', () => {
    const side = Math.sqrt(LIMITS.comparedPairs);
    const values = (length: number): Values => ({
      'application.tags': listOf(side),
      'application.user.Address.City': listOf(length),
    });
    expect(judge('application.tags == application.user.Address.City', values(side))).toBe(true);
    expect(judge('application.tags == application.user.Address.City', values(side + 1))).toBeUndefined();
  });

  test('conditions compared with conditions take time in proportion to their length', () => {
    let text = '(application.id == 1)';
    for (let depth = 1; depth < LIMITS.nestedParentheses; depth++) text = `(${text} == (application.score == 2))`;
    const start = performance.now();
    expect(judge(text, { 'application.id': FAILS, 'application.score': FAILS })).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('expressions compiled with one table', () => {
  const check = (text: string): Parameters<typeof compileExpression>[0] => compile(text).checked;

  test('share the values of a context: each is read once, when it is first needed', () => {
    const table = new DatapathTable();
    const [first, second] = ['application.id == 1', 'application.id == 2 OR application.score == 3'].map((text) =>
      compileExpression(check(text), table),
    );
    const asked: string[] = [];
    const opened = table.open({ ...contextOf({}), valueOf: (path) => (asked.push(path), 3) });
    expect([first?.judgeOpened(opened), second?.judgeOpened(opened), second?.judgeOpened(opened)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(asked).toEqual(['application.id', 'application.score']);
    expect(table.datapaths).toEqual(['application.id', 'application.score']);
  });

  test('take contexts that were opened before they were compiled', () => {
    const table = new DatapathTable();
    const opened = table.open(contextOf({ 'application.id': 1 }));
    expect(compileExpression(check('application.id == 1'), table).judgeOpened(opened)).toBe(true);
  });

  test('take no context that another table opened', () => {
    const compiled = compileExpression(check('application.id == 1'), new DatapathTable());
    expect(() => compiled.judgeOpened(new DatapathTable().open(contextOf({})))).toThrow(TypeError);
    expect(() => compile('application.id == 1').judgeOpened(new DatapathTable().open(contextOf({})))).toThrow(
      TypeError,
    );
  });

  test('may know one datapath by two types, when the model has changed between them', () => {
    const modelWith = (type: ValueType) => ({
      type: () => ({ name: 'posting', attributes: { closing: { type } }, relations: {} }),
    });
    const table = new DatapathTable();
    const compileWith = (type: ValueType, text: string): ReturnType<typeof compileExpression> =>
      compileExpression(checkExpression(parseExpression(text), modelWith(type), ['posting']), table);
    const asText = compileWith('text', 'posting.closing == "2026-11-21"');
    const asDate = compileWith('date', 'posting.closing == "2026-11-21"');
    const opened = table.open(contextOf({ 'posting.closing': '2026-11-21' }));
    expect([asText.judgeOpened(opened), asDate.judgeOpened(opened)]).toEqual([true, true]);
    expect(table.datapaths).toEqual(['posting.closing']);
  });
});

describe('strict bounds', () => {
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
  test.each(table)('%s with the nearest number %d: %s', (text, value, result) => {
    expect(judge(text, { 'application.score': value })).toBe(result);
  });
});
