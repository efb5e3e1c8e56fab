import { expect, test } from '@jest/globals';
import { compile, contextOf, FAILS, type Values } from '../../../test/recruiting.js';
import { explainExpression, type Explanation } from './explain.js';

const explain = (text: string, given: Values): Explanation =>
  explainExpression(compile(text).checked, contextOf(given));

test('explainExpression lists the operands of the outermost AND with the values that each read', () => {
  expect(
    explain('application.id==1 and posting.closing_date <= date("today")', {
      'application.id': 1,
      'posting.closing_date': '2026-12-24',
    }),
  ).toEqual({
    result: false,
    parts: [
      { text: 'application.id == 1', values: { 'application.id': 1 }, result: true },
      {
        text: 'posting.closing_date <= DATE("today")',
        values: { 'posting.closing_date': '2026-12-24' },
        result: false,
      },
    ],
  });
});

test('explainExpression explains a single comparison as one part', () => {
  expect(explain('application.tags NOT IN ("a")', { 'application.tags': ['b'] })).toEqual({
    result: true,
    parts: [{ text: 'application.tags NOT IN {"a"}', values: { 'application.tags': ['b'] }, result: true }],
  });
});

test('explainExpression explains a blank expression as true, without parts', () => {
  expect(explain(' ', {})).toEqual({ result: true, parts: [] });
});

test('explainExpression lists the parts of nested AND, OR and NOT', () => {
  const { parts } = explain('NOT (application.id == 1 OR application.id == 2) AND application.score != 3', {
    'application.id': 2,
  });
  expect(parts.map(({ text, result }) => [text, result])).toEqual([
    ['NOT (application.id == 1 OR application.id == 2)', false],
    ['application.score != 3', true],
  ]);
  expect(parts[0]?.parts?.[0]?.parts?.map(({ text, result }) => [text, result])).toEqual([
    ['application.id == 1', false],
    ['application.id == 2', true],
  ]);
  expect(parts[1]).toEqual({ text: 'application.score != 3', values: { 'application.score': null }, result: true });
});

test('explainExpression evaluates also the parts that a plain evaluation skips', () => {
  const { parts } = explain('application.id == 1 AND application.score == 2', { 'application.score': 2 });
  expect(parts.map(({ result }) => result)).toEqual([false, true]);
});

test('explainExpression lists all values of a part, even when one decides the result', () => {
  const { parts } = explain('(application.id == 1 OR application.score == 2) AND true', {
    'application.id': 1,
    'application.score': 7,
  });
  expect(parts[0]).toMatchObject({ result: true, values: { 'application.id': 1, 'application.score': 7 } });
});

test('explainExpression reports unknown results and unreadable values as null', () => {
  const { result, parts } = explain('application.id == 1 OR application.score == 2', {
    'application.id': FAILS,
    'application.score': 3,
  });
  expect([result, parts.map((part) => [part.values, part.result])]).toEqual([
    null,
    [
      [{ 'application.id': null }, null],
      [{ 'application.score': 3 }, false],
    ],
  ]);
});

test('explainExpression reads every datapath once', () => {
  const asked: string[] = [];
  const valueOf = (path: string): unknown => asked.push(path);
  explainExpression(compile('application.id == 1 OR application.id == 2 AND application.score == 3').checked, {
    ...contextOf({}),
    valueOf,
  });
  expect(asked).toEqual(['application.id', 'application.score']);
});

test('explainExpression explains a condition compared with true or false as a comparison', () => {
  const text =
    '(application.id == 1) == true AND (application.id == 1) != false AND ((application.id == 1 OR application.id == 2) == true) == false';
  expect(explain(text, { 'application.id': 1 }).parts.map((part) => [part.text, part.result, part.parts])).toEqual([
    ['(application.id == 1) == true', true, undefined],
    ['(application.id == 1) != false', true, undefined],
    ['((application.id == 1 OR application.id == 2) == true) == false', false, undefined],
  ]);
});
