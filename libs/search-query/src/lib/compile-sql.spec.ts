import { describe, expect, it } from '@jest/globals';
import { customers, model, orders } from '../../test/orders.js';
import { EVERYTHING, readCollectionQuery } from './collection-query.js';
import { compileConditionSql, type SqlText } from './compile-sql.js';
import { type Condition } from './condition.js';
import { type SearchSubject } from './search-model.js';
import { readSearchCondition } from './search-condition.js';
import { compileSortSql } from './sort-sql.js';
import { SqlParameters } from './sql-scope.js';

const conditionOf = (text: string, subject: SearchSubject = orders): Condition => {
  const condition = readSearchCondition(subject, text);
  if ('faults' in condition) throw new Error(condition.faults[0].message);
  return condition;
};
const compile = (text: string, subject: SearchSubject = orders): SqlText =>
  compileConditionSql(conditionOf(text, subject), { model: model, alias: 't', settings: { prefix: "'no. '" } });

const fold = (sql: string): string => `translate(lower(${sql} COLLATE "und-x-icu"), 'ς', 'σ')`;

describe('compileConditionSql', () => {
  it.each<[string, string, readonly unknown[]]>([
    // The collection's own columns.
    ['id=1', 't.id = $1::bigint', ['1']],
    ['id={1,2}', 't.id = ANY($1::bigint[])', [['1', '2']]],
    ['id!=1', '(t.id = $1::bigint) IS NOT TRUE', ['1']],
    ['note=', '(t.note IS NULL OR t.note = $1::text)', ['']],
    ['note={a,}', '(t.note IS NULL OR t.note = ANY($1::text[]))', [['a', '']]],
    ['note!=', 'NOT ((t.note IS NULL OR t.note = $1::text))', ['']],
    ['due=', 't.due IS NULL', []],
    ['due!={2026-01-01,}', 'NOT ((t.due IS NULL OR t.due = $1::date))', ['2026-01-01']],
    ['total>=1.50', 't.total >= $1::numeric', ['1.50']],
    ['note<m', 't.note COLLATE "und-x-icu" < $1::text', ['m']],
    ['label<m', `('no. ' || t.id) COLLATE "und-x-icu" < $1::text`, ['m']],
    ['uuid=A', 't.uuid = ANY($1::uuid[])', [[]]],
    ['uuid>a', 't.uuid::text COLLATE "und-x-icu" > $1::text', ['a']],
    // A day is a span of moments.
    ['created_dt=2026-01-01', 't.created_dt >= $1::timestamptz AND t.created_dt < $2::timestamptz', ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']],
    ['created_dt<=2026-01-01', 't.created_dt < $1::timestamptz', ['2026-01-02T00:00:00.000Z']],
    ['created_dt>2026-01-01T10:00Z', 't.created_dt >= $1::timestamptz', ['2026-01-01T10:00:00.001Z']],
    ['created_dt<=9999-12-31', 't.created_dt < $1::timestamptz', ['10000-01-01T00:00:00.000Z']],
    [
      'created_dt={2026-01-01,2026-01-03}',
      'EXISTS (SELECT FROM unnest($1::timestamptz[], $2::timestamptz[]) AS t_c1(low, high) WHERE t.created_dt >= t_c1.low AND t.created_dt < t_c1.high)',
      [
        ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'],
        ['2026-01-02T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
      ],
    ],
    // Substrings: wildcards mean themselves, both sides are folded by PostgreSQL.
    ['note=~a%_\\', `${fold('t.note')} LIKE ${fold('$1::text')}`, ['%a\\%\\_\\\\%']],
    ['note!~a', `(${fold('t.note')} LIKE ${fold('$1::text')}) IS NOT TRUE`, ['%a%']],
    ['total=~1', `${fold('trim_scale(t.total::numeric)::text')} LIKE ${fold('$1::text')}`, ['%1%']],
    // A relation to one: EXISTS; by its key without a join; a small table's rows first.
    ['customer.name=x', 'EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.customer_id AND t_c1.name = $1::text)', ['x']],
    ['customer.name!=x', 'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.customer_id AND t_c1.name = $1::text))', ['x']],
    ['customer.id=1', 't.customer_id = $1::bigint', ['1']],
    ['customer={1,2}', 't.customer_id = ANY($1::bigint[])', [['1', '2']]],
    ['coupon=', 't.coupon_id IS NULL', []],
    ['payer=1', 'EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.id = $1::bigint)', ['1']],
    ['coupon.code=x', 't.coupon_id = ANY(ARRAY(SELECT t_c1.id FROM coupons t_c1 WHERE t_c1.code = $1::text))', ['x']],
    ['coupon.code!=x', '(t.coupon_id = ANY(ARRAY(SELECT t_c1.id FROM coupons t_c1 WHERE t_c1.code = $1::text))) IS NOT TRUE', ['x']],
    // Missing, or no row that holds anything else.
    [
      'payer.name=',
      'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.name IS NOT NULL AND NOT (t_c1.name = $1::text)))',
      [''],
    ],
    ['payer=', 'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.id IS NOT NULL))', []],
    // An object in its owner's row takes no step.
    ['delivery.sent_dt=', 't.delivery_sent_dt IS NULL', []],
    ['delivery.carrier=1', 't.carrier_id = $1::bigint', ['1']],
    // To many: any for the positive, none for the negative.
    ['lines.text=x', 'EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.text = $1::text)', ['x']],
    ['lines.text!=x', 'NOT (EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.text = $1::text))', ['x']],
    [
      'lines.text=',
      'NOT (EXISTS (SELECT FROM lines t_c2 WHERE t_c2.order_id = t.id)) OR EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND (t_c1.text IS NULL OR t_c1.text = $1::text))',
      [''],
    ],
    ['lines.product=3', 'EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.product_id = $1::bigint)', ['3']],
    ['tags={a,b}', 't.tags && $1::text[]', [['a', 'b']]],
    ['tags!=a', '(t.tags && $1::text[]) IS NOT TRUE', [['a']]],
    ['tags>m', 'EXISTS (SELECT FROM unnest(t.tags) AS t_c1(value) WHERE t_c1.value COLLATE "und-x-icu" > $1::text)', ['m']],
  ])('%s', (text, sql, parameters) => {
    expect(compile(text)).toEqual({ text: sql, parameters });
  });

  it('asks for the label of an element inside the EXISTS', () => {
    expect(compile('/Phone/[work]/Number=1', customers)).toEqual({
      text: 'EXISTS (SELECT FROM phones t_c1 WHERE t_c1.customer_id = t.id AND t_c1.label = $2::text AND t_c1.number = $1::text)',
      parameters: ['1', 'work'],
    });
  });

  it('numbers on from the parameters that a statement has already', () => {
    const parameters = new SqlParameters();
    expect(parameters.add(100)).toBe('$1');
    const sql = compileConditionSql(conditionOf('id=1'), { model: model, alias: 't', settings: {}, parameters });
    expect(sql).toEqual({ text: 't.id = $2::bigint', parameters: [100, '1'] });
  });

  it('says the same text for lists of any length', () => {
    for (const key of ['id', 'note', 'customer', 'lines.text']) {
      const list = (length: number): string => compile(`${key}={${Array.from({ length }, (_, index) => index + 1).join(',')}}`).text;
      expect(list(2)).toBe(list(100));
    }
  });

  it('joins conditions with AND, and is true without any', () => {
    const all = (conditions: readonly Condition[]): string =>
      compileConditionSql({ kind: 'all', conditions }, { model: model, alias: 't', settings: {} }).text;
    expect(all([conditionOf('id=1'), conditionOf('lines.text=')])).toMatch(/^\(t\.id = \$1::bigint\) AND \(NOT .* OR .*\)$/);
    expect(all([])).toBe('true');
    expect(EVERYTHING.condition).toEqual({ kind: 'all', conditions: [] });
  });
});

describe('the filter', () => {
  it('is an OR over the own columns and a set of ids for each other table', () => {
    const query = readCollectionQuery(orders, { search: [], filter: ['x'], sort: [] });
    if (query.faults) throw new Error('no fault was expected');
    const { text, parameters } = compileConditionSql(query.condition, { model: model, alias: 't', settings: {} });
    expect(text.replaceAll(/translate\(lower\((.*?) COLLATE "und-x-icu"\), 'ς', 'σ'\)/g, '«$1»')).toBe(
      '(t.id IN (' +
        "SELECT t_c1.id FROM orders t_c1 WHERE «t_c1.note» LIKE «$1::text» OR «to_char(t_c1.due, 'YYYY-MM-DD')» LIKE «$2::text»" +
        ' OR EXISTS (SELECT FROM unnest(t_c1.tags) AS t_c2(value) WHERE «t_c2.value» LIKE «$3::text»)' +
        ' UNION SELECT t_c3.id FROM orders t_c3 JOIN customers t_c4 ON t_c4.id = t_c3.customer_id WHERE «t_c4.name» LIKE «$4::text»' +
        ' UNION SELECT t_c5.id FROM orders t_c5 JOIN lines t_c6 ON t_c6.order_id = t_c5.id WHERE «t_c6.text» LIKE «$5::text»))',
    );
    expect(new Set(parameters)).toEqual(new Set(['%x%']));
  });
});

describe('compileSortSql', () => {
  const sortOf = (...sort: string[]): unknown => {
    const query = readCollectionQuery(orders, { search: [], filter: [], sort });
    if (query.faults) throw new Error(query.faults[0].message);
    return compileSortSql(query.sort, { model: model, root: 'order', alias: 't', settings: {} });
  };

  it.each<[readonly string[], unknown]>([
    [[], { orderBy: 't.id', joins: '' }],
    [['total!desc'], { orderBy: 't.total DESC NULLS LAST, t.id', joins: '' }],
    [['order.note!asc', 'id!desc'], { orderBy: 't.note COLLATE "und-x-icu" ASC NULLS LAST, t.id DESC NULLS LAST, t.id', joins: '' }],
    [
      ['customer.name!asc', 'coupon.code!desc'],
      {
        orderBy: 't_1.name COLLATE "und-x-icu" ASC NULLS LAST, t_2.code COLLATE "und-x-icu" DESC NULLS LAST, t.id',
        joins: 'JOIN customers t_1 ON t_1.id = t.customer_id\nLEFT JOIN coupons t_2 ON t_2.id = t.coupon_id',
      },
    ],
  ])('%j', (texts, expected) => {
    expect(sortOf(...texts)).toEqual(expected);
  });
});
