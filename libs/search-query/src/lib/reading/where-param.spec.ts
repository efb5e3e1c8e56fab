import { describe, expect, it } from '@jest/globals';
import { SQL_OPTIONS } from '../../../test/conditions.js';
import { orders } from '../../../test/orders.js';
import { type SearchSubject } from '../model/search-model.js';
import { compileConditionSql, type SqlText } from '../sql/compile-sql.js';
import { compileLookupsSql } from '../sql/lookups.js';
import { readCollectionQuery } from './collection-query.js';
import { formatSearchViolation } from './violation.js';
import { whereNeedsClock } from './where-param.js';

const clock = { now: new Date('2026-11-21T09:30:00Z'), timeZone: 'Pacific/Auckland' };

const sqlOf = (subject: SearchSubject, where: string): SqlText => {
  const query = readCollectionQuery(subject, { where });
  if (query.violations) throw new Error(JSON.stringify(query.violations));
  compileLookupsSql(query.condition, SQL_OPTIONS);
  return compileConditionSql(query.condition, SQL_OPTIONS);
};

const DAYS = ' + DTDURATION(106751,0,0,0)'.repeat(10);

it.each([
  ['order.id == 1 OR order.note == "a\0"', '1:32: a text cannot contain null characters or lone surrogates', '"a\0"'],
  [
    `order.id == 1 AND order.created_dt${DAYS} > DATE("now")`,
    '1:19: expected the durations of a sum to have at most 1000000 days together',
    `order.created_dt${DAYS}`,
  ],
])('the violation of %j has the position of its part', (where, start, part) => {
  const [violation] = readCollectionQuery({ ...orders, clock }, { where }).violations ?? [];
  if (!violation) throw new Error('expected a violation');
  expect(where.slice(violation.offset, violation.offset + violation.length)).toBe(part);
  expect(formatSearchViolation(violation)).toMatch(start);
  expect(formatSearchViolation(violation)).toContain('^');
});

describe('whereNeedsClock', () => {
  it.each([
    'order.due == DATE("today")',
    'order.due IN (DATE("2026-01-01"), DATE("today"))',
    'order.created_dt > DATE("now")',
    'NOT (order.id == 1 OR order.created_dt > DATE("now") - DTDURATION(1,0,0,0))',
    'DATE("now") > order.created_dt',
    'order.created_dt >= DATE("2026-01-01")',
    'order.created_dt IN (DATE("2026-01-01"))',
    'order.due <= order.created_dt',
    'order.created_dt + DTDURATION(1,0,0,0) < DATE("2026-01-01T00:00:00Z")',
    'order.is_paid == (order.due == DATE("today"))',
  ])('is true for %s, which throws without a clock', (where) => {
    expect(whereNeedsClock(orders, where)).toBe(true);
    expect(() => readCollectionQuery(orders, { where })).toThrow('expected a clock');
    expect(sqlOf({ ...orders, clock }, where).text).not.toBe('');
  });

  it.each([
    'order.id == 1',
    'order.note =~ "DATE" AND order.coupon.code == "x"',
    'order.note == NULL OR NOT (order.lines.text IN ("a", "b"))',
    'order.total + 1 > 3',
    'order.due >= DATE("2026-01-01")',
    'order.due == order.due',
    'order.created_dt >= DATE("2026-01-01T00:00:00Z")',
    'order.is_paid == (order.total > 3)',
    'DTDURATION(1,0,0,0) > DTDURATION(0,1,0,0)',
  ])('is false for %s, whose SQL is the same without a clock', (where) => {
    expect(whereNeedsClock(orders, where)).toBe(false);
    expect(sqlOf(orders, where)).toEqual(sqlOf({ ...orders, clock }, where));
  });

  it.each(['', 'order.id ==', 'order.nothing == DATE("today")'])(
    'is false for the invalid expression "%s", whose violations need no clock',
    (where) => {
      expect(whereNeedsClock(orders, where)).toBe(false);
      expect(readCollectionQuery(orders, { where }).violations).toBeDefined();
    },
  );
});
