import { describe, expect, it } from '@jest/globals';
import { conditionOf, SQL_OPTIONS } from '../../../test/conditions.js';
import { compileConditionSql } from './compile-sql.js';
import { compileLookupsSql } from './lookups.js';

describe('lookups', () => {
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
    // An order without a coupon has no code either. So the look-up finds the coupons that have a code, and the search
    // leaves out their orders.
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
  ])('look up ids for %s', (search, select, some, none) => {
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
  ])('find rows that have the id of their owner, for %s', (search, select, some, none) => {
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
});
