import { describe, expect, test } from '@jest/globals';
import { inEnglish } from '../../test/english.js';
import { compile, contextOf, FAILS, model, roots } from '../../test/recruiting.js';
import {
  checkExpression,
  DatapathError,
  type DatapathViolation,
  datapathIn,
  explainExpression,
  parseExpression,
  readPast,
  TopicIndex,
} from '../index.js';
import { printExpression } from '../../test/print-expression.js';

const violationOf = (run: () => unknown): DatapathViolation => {
  try {
    run();
  } catch (error) {
    if (error instanceof DatapathError) return error.violations[0];
    throw error;
  }
  throw new Error('no violation');
};
const RISE = 'CHANGED(application.score) AND WAS(application.score) < 3';
const VALUES = { 'CHANGED(application.score)': true, 'WAS(application.score)': 2 };

describe('CHANGED and WAS', () => {
  test('are printed in capitals and listed as calls beside datapaths', () => {
    const text = 'changed( application.score ) and was(application.tags) == "a" OR application.score > 1';
    expect(printExpression(parseExpression(text, model))).toBe(
      'CHANGED(application.score) AND WAS(application.tags) == "a" OR application.score > 1',
    );
    const { datapaths } = compile(text);
    expect(datapaths).toEqual(['CHANGED(application.score)', 'WAS(application.tags)', 'application.score']);
    expect(datapaths.map(datapathIn)).toEqual(['application.score', 'application.tags', 'application.score']);
    expect(readPast('WAS(application.tags)')).toEqual({ call: 'WAS', datapath: 'application.tags' });
    expect(readPast('application.tags')).toBeUndefined();
  });

  test.each([
    [RISE, VALUES, true],
    [RISE, { ...VALUES, 'WAS(application.score)': 3 }, false],
    [RISE, { ...VALUES, 'WAS(application.score)': null }, false],
    [RISE, { ...VALUES, 'CHANGED(application.score)': false }, false],
    [RISE, { ...VALUES, 'WAS(application.score)': FAILS }, undefined],
    ['NOT CHANGED(application.score)', { 'CHANGED(application.score)': FAILS }, undefined],
    ['WAS(application.tags) == "a"', { 'WAS(application.tags)': ['b', 'a'] }, true],
    ['WAS(application.tags) != "a"', { 'WAS(application.tags)': ['b', 'a'] }, false],
    ['WAS(application.score) < application.score', { 'WAS(application.score)': 1, 'application.score': 2 }, true],
  ])('evaluate %s from the values that the context returns for calls', (text, values, expected) => {
    expect(compile(text).evaluate(contextOf(values))).toBe(expected);
    const index = new TopicIndex<number>();
    index.add(1, compile(text));
    expect(index.evaluate(contextOf(values))).toEqual({
      matched: expected === true ? [1] : [],
      unknown: expected === undefined ? [1] : [],
    });
  });

  test('are explained with the values that they read, and are unknown without them', () => {
    const { checked } = compile(RISE);
    expect(explainExpression(checked, contextOf(VALUES))).toMatchObject({
      result: true,
      parts: [
        { text: 'CHANGED(application.score)', values: { 'CHANGED(application.score)': true }, result: true },
        { text: 'WAS(application.score) < 3', values: { 'WAS(application.score)': 2 }, result: true },
      ],
    });
    const forgotten = { 'CHANGED(application.score)': FAILS, 'WAS(application.score)': FAILS };
    expect(explainExpression(checked, contextOf(forgotten)).result).toBeNull();
  });

  test.each([
    ['WAS(3) == 3', 5, 'expected datapath but found'],
    ['WAS application.score', 5, 'expected "(" but found'],
    ['CHANGED(application.score', 26, 'expected ")" but found'],
    ['CHANGED(application.user)', 9, '"application.user" is an object, not a value'],
    ['WAS(application.scor) == 1', 17, 'application has no attribute or relation "scor"'],
    ['WAS(application.score) == "a"', 1, 'cannot compare "WAS(application.score)" (a number) with a string'],
    ['CHANGED(application.score) == 1', 1, 'cannot compare "CHANGED(application.score)" (a boolean) with a number'],
    ['WAS(application.score)', 1, 'expected a condition but found "WAS(application.score)" (a number)'],
  ])('report the violation in %s', (text, column, said) => {
    const violation = inEnglish(violationOf(() => compile(text)));
    expect(violation.message).toContain(said);
    expect(violation.column).toBe(column);
  });

  test('are a violation in expressions that have no former values', () => {
    const violation = violationOf(() => checkExpression(parseExpression(`TRUE AND ${RISE}`, model), model, roots));
    expect(inEnglish(violation)).toMatchObject({
      code: 'no_past',
      column: 10,
      length: 26,
      message: 'CHANGED is not available here, because no former value is known',
      hint: 'use it in a topic whose events change an object',
    });
  });

  test('cost no evaluation for events that did not change the value, however many topics use them', () => {
    const readsOf = (topics: number, isChanged: boolean): { readonly reads: number; readonly matched: number } => {
      const index = new TopicIndex<number>();
      for (let id = 1; id <= topics; id++)
        index.add(id, compile(`CHANGED(application.score) AND WAS(application.score) < 3 AND application.id != ${id}`));
      let reads = 0;
      const valueOf = (text: string): unknown => {
        reads++;
        return text.startsWith('CHANGED') ? isChanged : text === 'application.id' ? 0 : 2;
      };
      return { matched: index.match({ ...contextOf({}), valueOf }).length, reads };
    };
    expect(readsOf(1_000, false)).toEqual({ reads: 1, matched: 0 });
    expect(readsOf(1_000, true)).toEqual({ reads: 3, matched: 1_000 });
  });
});
