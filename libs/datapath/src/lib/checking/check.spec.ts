import { describe, expect, test } from '@jest/globals';
import { type EnglishViolation, inEnglish } from '../../../test/english.js';
import { compile, holds } from '../../../test/recruiting.js';
import { DatapathCheckError, DatapathError, type DatapathViolation } from '../syntax/errors.js';

const violationsOf = (text: string): readonly EnglishViolation[] => {
  try {
    compile(text);
  } catch (error) {
    if (error instanceof DatapathCheckError) return error.violations.map(inEnglish);
  }
  return [];
};

describe('type errors in an expression', () => {
  const table: readonly (readonly [string, string, string, string | null])[] = [
    ['application.id == "x"', 'type_mismatch', 'cannot compare "application.id" (a number) with a string', null],
    ['application.id == "42"', 'type_mismatch', 'cannot compare "application.id" (a number) with a string', 'write 42'],
    [
      'application.user.id == 42',
      'type_mismatch',
      'cannot compare "application.user.id" (a text) with a number',
      'write "42"',
    ],
    [
      '42 == application.user.id',
      'type_mismatch',
      'cannot compare a number with "application.user.id" (a text)',
      'write "42"',
    ],
    [
      'application.is_internal == "true"',
      'type_mismatch',
      'cannot compare "application.is_internal" (a boolean) with a string',
      'write true',
    ],
    [
      'application.is_internal == 1',
      'type_mismatch',
      'cannot compare "application.is_internal" (a boolean) with a number',
      null,
    ],
    [
      'application.id == application.source',
      'type_mismatch',
      'cannot compare "application.id" (a number) with "application.source" (a text)',
      null,
    ],
    [
      'application.tags == 1',
      'type_mismatch',
      'cannot compare "application.tags" (a list of texts) with a number',
      'write "1"',
    ],
    [
      'application.source == DATE("today")',
      'type_mismatch',
      'cannot compare "application.source" (a text) with a date',
      null,
    ],
    [
      'posting.closing_date == 5',
      'type_mismatch',
      'cannot compare "posting.closing_date" (a date) with a number',
      null,
    ],
    [
      'posting.closing_date == DTDURATION(1,0,0,0)',
      'type_mismatch',
      'cannot compare "posting.closing_date" (a date) with a duration',
      null,
    ],
    [
      'posting.closing_date < "soon"',
      'invalid_date',
      'expected a date such as "YYYY-MM-DD" or "YYYY-MM-DDThh:mm:ssZ"',
      null,
    ],
    [
      'posting.closing_date IN ("2026-02-30")',
      'invalid_date',
      'expected a date such as "YYYY-MM-DD" or "YYYY-MM-DDThh:mm:ssZ"',
      null,
    ],
    [
      'application.id IN (1, "2")',
      'type_mismatch',
      'cannot compare "application.id" (a number) with a string',
      'write 2',
    ],
    [
      'NULL IN (1, "2")',
      'type_mismatch',
      'all items of a list must have the same type: expected a number but found a string',
      null,
    ],
    [
      'application.is_internal < true',
      'operator_not_allowed',
      '"<" does not apply to "application.is_internal" (a boolean)',
      'write == or !=',
    ],
    [
      'application.is_internal < 1',
      'type_mismatch',
      'cannot compare "application.is_internal" (a boolean) with a number',
      null,
    ],
    ['application.id <= null', 'operator_not_allowed', '"<=" does not apply to null', 'write == or !='],
    ['application.id =~ "4"', 'operator_not_allowed', '"=~" applies to text, not to "application.id" (a number)', null],
    [
      'posting.closing_date =~ "2026"',
      'operator_not_allowed',
      '"=~" applies to text, not to "posting.closing_date" (a date)',
      null,
    ],
    ['application.source !~ null', 'operator_not_allowed', '"!~" applies to text, not to null', null],
    ['application.source =~ ""', 'empty_substring', 'expected the text to look for but found ""', null],
    [
      'application.id',
      'not_a_condition',
      'expected a condition but found "application.id" (a number)',
      'compare it with a value',
    ],
    ['5', 'not_a_condition', 'expected a condition but found a number', 'compare it with a value'],
    ['null', 'not_a_condition', 'expected a condition but found null', 'compare it with a value'],
    ['NOT DATE("today")', 'not_a_condition', 'expected a condition but found a date', 'compare it with a value'],
    ['application.user', 'not_a_value', '"application.user" is an object, not a value', 'write "application.user.id"'],
    ['application.user.Address == null', 'not_a_value', '"application.user.Address" is an object, not a value', null],
    ['(application.id == 1) == 2', 'type_mismatch', 'cannot compare a boolean with a number', null],
  ];
  test.each(table)('are reported for %s: %s', (text, code, message, hint) => {
    expect(violationsOf(text)).toEqual([expect.objectContaining({ code, message, hint })]);
  });
});

describe('a sum of types that cannot be added', () => {
  const table: readonly (readonly [string, string])[] = [
    ['application.source + "x" == "yx"', 'cannot add "application.source" (a text) and a string'],
    [
      'posting.closing_date - posting.opening_date == 3',
      'cannot subtract "posting.opening_date" (a date) from "posting.closing_date" (a date)',
    ],
    ['posting.closing_date + 7 == DATE("today")', 'cannot add "posting.closing_date" (a date) and a number'],
    ['DTDURATION(1,0,0,0) + DATE("today") == DATE("today")', 'cannot add a duration and a date'],
    [
      'application.user.Address.floor + application.user.Address.floor > 3',
      'cannot add "application.user.Address.floor" (a list of numbers) and "application.user.Address.floor" (a list of numbers)',
    ],
  ];
  test.each(table)('is rejected: %s', (text, message) => {
    expect(violationsOf(text)).toEqual([expect.objectContaining({ code: 'operator_not_allowed', message })]);
  });
});

describe('the violations of an expression', () => {
  test('are all reported, in the order of the text', () => {
    const text = 'application.usr.id == 1 AND application.id == "x" OR shoe == 2 AND application.source =~ ""';
    expect(violationsOf(text).map(({ code, column }) => [code, column])).toEqual([
      ['unknown_name', 13],
      ['type_mismatch', 29],
      ['unknown_root', 54],
      ['empty_substring', 90],
    ]);
  });

  test('do not repeat an unknown name as a wrong type or value', () => {
    expect(
      violationsOf('application.shoe + 1 < "x" AND NOT application.shoe IN (1, "2")').map(({ code }) => code),
    ).toEqual(['unknown_name', 'unknown_name']);
  });

  test('have the position of the invalid item in a list', () => {
    expect(violationsOf('application.id IN (1, "2")')).toEqual([expect.objectContaining({ offset: 22, length: 3 })]);
  });
});

describe('names in an expression', () => {
  test('are unknown when they are properties of every JavaScript object', () => {
    for (const name of [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'valueOf',
      'hasOwnProperty',
      '__defineGetter__',
    ]) {
      expect(violationsOf(`application.${name} == 1`)).toEqual([expect.objectContaining({ code: 'unknown_name' })]);
      expect(violationsOf(`application.user.${name}.id == 1`)).toEqual([
        expect.objectContaining({ code: 'unknown_name' }),
      ]);
      expect(violationsOf(`${name}.id == 1`)).toEqual([expect.objectContaining({ code: 'unknown_root' })]);
    }
  });

  test('are case-sensitive', () => {
    expect(violationsOf('application.ID == 1')).toEqual([
      expect.objectContaining({ code: 'unknown_name', hint: 'did you mean "id"?' }),
    ]);
  });

  test('can be keywords after a dot', () => {
    expect(holds('posting.not', { 'posting.not': true })).toBe(true);
  });
});

test('a check reads a string as a date when it is compared with a date, also in lists', () => {
  const values = { 'posting.closing_date': '2026-11-21' };
  expect(holds('posting.closing_date == "2026-11-21"', values)).toBe(true);
  expect(holds('"2026-11-22" > posting.closing_date', values)).toBe(true);
  expect(holds('posting.closing_date IN ("2026-11-20", DATE("today"))', values)).toBe(true);
});

describe('a violation has the expected and the found text', () => {
  const dates = ['"YYYY-MM-DD"', '"YYYY-MM-DDThh:mm:ssZ"'];
  const stateNames = ['id', 'name'];
  const table: readonly (readonly [text: string, code: string, expected: readonly string[], found: string])[] = [
    ['user.id == 1', 'unknown_root', ['application', 'posting', 'opportunity'], 'user'],
    ['opportunity.state.nam == "x"', 'unknown_name', stateNames, 'nam'],
    ['opportunity.stat.name == "x"', 'unknown_name', ['state'], 'stat'],
    ['opportunity.id.name == "x"', 'not_a_relation', ['state'], 'id'],
    ['application.id', 'not_a_condition', ['condition'], 'number'],
    ['posting.closing_date == "soon"', 'invalid_date', dates, '"soon"'],
    ["posting.closing_date == DATE('soon')", 'invalid_date', ['"today"', '"now"', ...dates], "'soon'"],
    ['application.id == 9007199254740992', 'number_too_large', ['number'], '9007199254740992'],
  ];
  test.each(table)('for %s: %s', (text, code, expected, found) => {
    let violation: DatapathViolation | undefined;
    try {
      compile(text);
    } catch (error) {
      if (error instanceof DatapathError) [violation] = error.violations;
    }
    expect(violation).toMatchObject({ code, expected, found });
  });
});
