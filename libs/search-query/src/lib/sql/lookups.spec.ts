import { describe, expect, it } from '@jest/globals';
import { conditionOf, SQL_OPTIONS } from '../../../test/conditions.js';
import { orders } from '../../../test/orders.js';
import { type Condition } from '../model/condition.js';
import { readCollectionQuery } from '../reading/collection-query.js';
import { compileConditionSql } from './compile-sql.js';
import { compileLookupsSql } from './lookups.js';

describe('look-ups of ids before a statement', () => {
  it.each<[string, string, string, string]>([
    [
      'coupon.code=x',
      'SELECT t_c1.id FROM coupons t_c1 WHERE t_c1.code = $1::text',
      't.coupon_id = ANY($1::bigint[])',
      'false',
    ],
    [
      'coupon.code!=x',
      'SELECT t_c1.id FROM coupons t_c1 WHERE t_c1.code = $1::text',
      '(t.coupon_id = ANY($1::bigint[])) IS NOT TRUE',
      'NOT (false)',
    ],
    // The search must also find orders without a coupon. So the look-up finds the coupons that have a code, and the
    // search leaves out their orders.
    [
      'coupon.code=',
      'SELECT t_c1.id FROM coupons t_c1 WHERE (t_c1.code IS NOT NULL AND NOT (t_c1.code = $1::text))',
      '(t.coupon_id = ANY($1::bigint[])) IS NOT TRUE',
      'NOT (false)',
    ],
    [
      'gift.code=x',
      'SELECT t_c1.id FROM coupons t_c1 WHERE t_c1.is_gift AND t_c1.code = $1::text',
      't.id = ANY($1::bigint[])',
      'false',
    ],
  ])('are made for %s', (search, select, some, none) => {
    const condition = conditionOf(search);
    const lookups = compileLookupsSql(condition, SQL_OPTIONS);
    expect(lookups?.text.replace(/[()]/g, '')).toBe(`SELECT ARRAY${select} LIMIT 1001 AS l0`.replace(/[()]/g, ''));
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[1, 2]]) }).text).toBe(some);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[]]) }).text).toBe(none);
    const tooMany = lookups?.read([Array.from({ length: 1_001 }, (_, index) => index)]);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: tooMany }).text).toContain(
      'EXISTS (SELECT FROM coupons',
    );
  });

  it.each<[string, string, string, string]>([
    [
      'formdata.5=a',
      "SELECT t_c1.order_id FROM answers t_c1 WHERE t_c1.place = '5:1:1' AND t_c1.text_value = $1::text",
      't.id = ANY($1::bigint[])',
      'false',
    ],
    [
      'formdata.5:2!=a',
      "SELECT t_c1.order_id FROM answers t_c1 WHERE t_c1.place = '5:2:1' AND t_c1.text_value = $1::text",
      '(t.id = ANY($1::bigint[])) IS NOT TRUE',
      'NOT (false)',
    ],
    [
      'formdata.5=',
      "SELECT t_c1.order_id FROM answers t_c1 WHERE t_c1.place = '5:1:1' AND (t_c1.text_value IS NOT NULL AND NOT (t_c1.text_value = $1::text))",
      '(t.id = ANY($1::bigint[])) IS NOT TRUE',
      'NOT (false)',
    ],
    [
      'formdata.6=a',
      "SELECT t_c1.order_id FROM answers t_c1 WHERE t_c1.place = '6:1:1' AND t_c1.values && $1::text[]",
      't.id = ANY($1::bigint[])',
      'false',
    ],
  ])('find rows by the id of their owner, for %s', (search, select, some, none) => {
    const condition = conditionOf(search);
    const lookups = compileLookupsSql(condition, SQL_OPTIONS);
    expect(lookups?.text.replace(/[()]/g, '')).toBe(`SELECT ARRAY${select} LIMIT 1001 AS l0`.replace(/[()]/g, ''));
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[1, 2]]) }).text).toBe(some);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[]]) }).text).toBe(none);
    const tooMany = lookups?.read([Array.from({ length: 1_001 }, (_, index) => index)]);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: tooMany }).text).toContain(
      'EXISTS (SELECT FROM answers',
    );
  });

  it.each(['customer.name=x', 'coupon=1', 'note=x', 'lines.text=x'])('are not made for %s', (search) => {
    expect(compileLookupsSql(conditionOf(search), SQL_OPTIONS)).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['order.coupon.code == "x"', 't.coupon_id = ANY($1::bigint[])', 'false'],
    ['NOT (order.coupon.code == "x")', '(t.coupon_id = ANY($1::bigint[])) IS NOT TRUE', 'NOT (false)'],
    ['order.coupon.code IN ("x", "y")', 't.coupon_id = ANY($1::bigint[])', 'false'],
    [
      'order.coupon.code =~ "x" OR order.id == 1',
      '(t.coupon_id = ANY($1::bigint[])) OR (t.id = $2::bigint)',
      '(false) OR (t.id = $1::bigint)',
    ],
  ])('are made for a comparison in an expression: %s', (where, some, none) => {
    const condition = expressionOf(where);
    const lookups = compileLookupsSql(condition, SQL_OPTIONS);
    expect(lookups?.text).toMatch(
      /^SELECT ARRAY\(SELECT t_c1\.id FROM coupons t_c1 WHERE \(.*\$1.*\) LIMIT 1001\) AS l0$/,
    );
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[1, 2]]) }).text).toBe(some);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: lookups?.read([[]]) }).text).toBe(none);
    const tooMany = lookups?.read([Array.from({ length: 1_001 }, (_, index) => index)]);
    expect(compileConditionSql(condition, { ...SQL_OPTIONS, lookups: tooMany }).text).toContain(
      'EXISTS (SELECT FROM coupons',
    );
  });

  it.each([
    'order.coupon.code == NULL',
    'order.coupon.code IN (NULL, "x")',
    'order.coupon.code == order.note',
    'order.customer.name == "x"',
    'order.note == "x"',
  ])('are not made for the expression %s', (where) => {
    expect(compileLookupsSql(expressionOf(where), SQL_OPTIONS)).toBeUndefined();
  });
});

function expressionOf(where: string): Condition {
  const clock = { now: new Date(0), timeZone: 'UTC' };
  const query = readCollectionQuery({ ...orders, clock }, { where });
  if (query.violations) throw new Error(String(query.violations[0].message));
  const { condition } = query;
  return condition.kind === 'all' ? (condition.conditions[0] ?? condition) : condition;
}
