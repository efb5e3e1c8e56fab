import { describe, expect, it } from '@jest/globals';
import { customers, model, orders } from '../../../test/orders.js';
import { EVERYTHING, readCollectionQuery } from '../reading/collection-query.js';
import { compileConditionSql, type SqlText } from './compile-sql.js';
import { type Condition } from '../model/condition.js';
import { type SearchSubject } from '../model/search-model.js';
import { readSearchCondition } from '../reading/search-condition.js';
import { compileLookupsSql } from './lookups.js';
import { compileSortSql, type SortPart, type SortSql } from './sort-sql.js';
import { SqlParameters } from './sql-scope.js';

const conditionOf = (text: string, subject: SearchSubject = orders): Condition => {
  const condition = readSearchCondition(subject, text);
  if ('violations' in condition) throw new Error(String(condition.violations[0].message));
  return condition;
};
const compile = (text: string, subject: SearchSubject = orders): SqlText =>
  compileConditionSql(conditionOf(text, subject), { model: model, alias: 't', settings: { prefix: "'no. '" } });

const fold = (sql: string): string => `translate(lower(${sql} COLLATE "und-x-icu"), 'ς', 'σ')`;

describe('compileConditionSql', () => {
  it.each<[string, string, readonly unknown[]]>([
    // Columns of the collection itself.
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
    // A form value is a row that may be missing.
    [
      'formdata.5=a',
      "EXISTS (SELECT FROM answers t_c1 WHERE t_c1.order_id = t.id AND t_c1.place = '5:1:1' AND t_c1.text_value = $1::text)",
      ['a'],
    ],
    [
      'formdata.5:2!=a',
      "NOT (EXISTS (SELECT FROM answers t_c1 WHERE t_c1.order_id = t.id AND t_c1.place = '5:2:1' AND t_c1.text_value = $1::text))",
      ['a'],
    ],
    [
      'order.formdata.5:2:3=',
      "NOT (EXISTS (SELECT FROM answers t_c1 WHERE t_c1.order_id = t.id AND t_c1.place = '5:2:3' AND t_c1.text_value IS NOT NULL AND NOT (t_c1.text_value = $1::text)))",
      [''],
    ],
    [
      'formdata.6=a',
      "EXISTS (SELECT FROM answers t_c1 WHERE t_c1.order_id = t.id AND t_c1.place = '6:1:1' AND t_c1.values && $1::text[])",
      [['a']],
    ],
    // A day is a range of moments.
    [
      'created_dt=2026-01-01',
      't.created_dt >= $1::timestamptz AND t.created_dt < $2::timestamptz',
      ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
    ],
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
    // Substrings: wildcards are ordinary characters, and PostgreSQL folds both sides.
    ['note=~a%_\\', `${fold('t.note')} LIKE ${fold('$1::text')}`, ['%a\\%\\_\\\\%']],
    ['note!~a', `(${fold('t.note')} LIKE ${fold('$1::text')}) IS NOT TRUE`, ['%a%']],
    ['total=~1', `${fold('trim_scale(t.total::numeric)::text')} LIKE ${fold('$1::text')}`, ['%1%']],
    // To-one relations: EXISTS; the foreign key without a join; ids of a small table.
    [
      'customer.name=x',
      'EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.customer_id AND t_c1.name COLLATE "und-x-icu" = $1::text)',
      ['x'],
    ],
    [
      'customer.name!=x',
      'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.customer_id AND t_c1.name COLLATE "und-x-icu" = $1::text))',
      ['x'],
    ],
    ['customer.id=1', 't.customer_id = $1::bigint', ['1']],
    ['customer={1,2}', 't.customer_id = ANY($1::bigint[])', [['1', '2']]],
    ['coupon=', 't.coupon_id IS NULL', []],
    ['payer=1', 'EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.id = $1::bigint)', ['1']],
    ['coupon.code=x', 'EXISTS (SELECT FROM coupons t_c1 WHERE t_c1.id = t.coupon_id AND t_c1.code = $1::text)', ['x']],
    [
      'coupon.code!=x',
      'NOT (EXISTS (SELECT FROM coupons t_c1 WHERE t_c1.id = t.coupon_id AND t_c1.code = $1::text))',
      ['x'],
    ],
    // The value is missing, or no row has a different value.
    [
      'payer.name=',
      'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.name IS NOT NULL AND NOT (t_c1.name COLLATE "und-x-icu" = $1::text)))',
      [''],
    ],
    ['payer=', 'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.id IS NOT NULL))', []],
    // An object in the row of its owner needs no step.
    ['delivery.sent_dt=', 't.delivery_sent_dt IS NULL', []],
    ['delivery.carrier=1', 't.carrier_id = $1::bigint', ['1']],
    // To-many: any element for positive operators, none for negative ones.
    ['lines.text=x', 'EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.text = $1::text)', ['x']],
    [
      'lines.text!=x',
      'NOT (EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.text = $1::text))',
      ['x'],
    ],
    [
      'lines.text=',
      'NOT (EXISTS (SELECT FROM lines t_c2 WHERE t_c2.order_id = t.id)) OR EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND (t_c1.text IS NULL OR t_c1.text = $1::text))',
      [''],
    ],
    [
      'lines.product=3',
      'EXISTS (SELECT FROM lines t_c1 WHERE t_c1.order_id = t.id AND t_c1.product_id = $1::bigint)',
      ['3'],
    ],
    ['tags={a,b}', 't.tags && $1::text[]', [['a', 'b']]],
    ['tags!=a', '(t.tags && $1::text[]) IS NOT TRUE', [['a']]],
    [
      'tags>m',
      'EXISTS (SELECT FROM unnest(t.tags) AS t_c1(value) WHERE t_c1.value COLLATE "und-x-icu" > $1::text)',
      ['m'],
    ],
  ])('compiles %s', (text, sql, parameters) => {
    expect(compile(text)).toEqual({ text: sql, parameters });
  });

  it('compares the label of an element inside the EXISTS', () => {
    expect(compile('/Phone/[work]/Number=1', customers)).toEqual({
      text: 'EXISTS (SELECT FROM phones t_c1 WHERE t_c1.customer_id = t.id AND t_c1.label = $2::text AND t_c1.number = $1::text)',
      parameters: ['1', 'work'],
    });
  });

  it('numbers parameters after those that the statement already has', () => {
    const parameters = new SqlParameters();
    expect(parameters.add(100)).toBe('$1');
    const sql = compileConditionSql(conditionOf('id=1'), { model: model, alias: 't', settings: {}, parameters });
    expect(sql).toEqual({ text: 't.id = $2::bigint', parameters: [100, '1'] });
  });

  it('returns the same text for lists of any length', () => {
    for (const key of ['id', 'note', 'customer', 'lines.text']) {
      const list = (length: number): string =>
        compile(`${key}={${Array.from({ length }, (_, index) => index + 1).join(',')}}`).text;
      expect(list(2)).toBe(list(100));
    }
  });

  it('joins conditions with AND, and is true without conditions', () => {
    const all = (conditions: readonly Condition[]): string =>
      compileConditionSql({ kind: 'all', conditions }, { model: model, alias: 't', settings: {} }).text;
    expect(all([conditionOf('id=1'), conditionOf('lines.text=')])).toMatch(
      /^\(t\.id = \$1::bigint\) AND \(NOT .* OR .*\)$/,
    );
    expect(all([])).toBe('true');
    expect(EVERYTHING.condition).toEqual({ kind: 'all', conditions: [] });
  });
});

const options = { model, alias: 't', settings: { prefix: "'no. '" } };
const withoutFolding = (text: string): string =>
  text.replaceAll(/translate\(lower\(((?:[^()]|\([^()]*\))*?) COLLATE "und-x-icu"\), 'ς', 'σ'\)/g, '«$1»');

const filterOf = (filter: string): Condition => {
  const query = readCollectionQuery(orders, { search: [], filter, sort: [] });
  if (query.violations) throw new Error('no violation was expected');
  return query.condition;
};

describe('the filter', () => {
  it('is an OR of own columns and a subselect for each other table, and uses stored texts', () => {
    const { text, parameters } = compileConditionSql(filterOf('x'), options);
    expect(withoutFolding(text)).toBe(
      "((«t.note» LIKE «$1::text» OR «to_char(t.due, 'YYYY-MM-DD')» LIKE «$2::text» OR EXISTS (SELECT FROM unnest(t.tags) AS t_c1(value) WHERE «t_c1.value» LIKE «$3::text»))" +
        ' OR (EXISTS (SELECT FROM customers t_c2 WHERE t_c2.id = t.customer_id AND (t_c2.name_folded LIKE «$4::text») OFFSET 0))' +
        ' OR (EXISTS (SELECT FROM lines t_c3 WHERE t_c3.order_id = t.id AND (t_c3.search_text LIKE «$5::text») OFFSET 0)))',
    );
    expect(new Set(parameters)).toEqual(new Set(['%x%']));
  });

  it('does not match across attributes of a stored text', () => {
    expect(compileConditionSql(filterOf('a\u001fb'), options).text).not.toContain('search_text');
  });

  it('compares looked-up ids, and uses an EXISTS when a look-up finds too many ids', () => {
    const condition = filterOf('x');
    const lookups = compileLookupsSql(condition, options);
    expect(withoutFolding(lookups?.text ?? '')).toBe(
      'SELECT ' +
        "ARRAY(SELECT t_c1.id FROM orders t_c1 WHERE («t_c1.note» LIKE «$1::text» OR «to_char(t_c1.due, 'YYYY-MM-DD')» LIKE «$2::text»" +
        ' OR EXISTS (SELECT FROM unnest(t_c1.tags) AS t_c2(value) WHERE «t_c2.value» LIKE «$3::text»)) LIMIT 1001) AS l0, ' +
        'ARRAY(SELECT t_c3.id FROM customers t_c3 WHERE (t_c3.name_folded LIKE «$4::text») LIMIT 1001) AS l1, ' +
        'ARRAY(SELECT DISTINCT t_c4.order_id FROM lines t_c4 WHERE (t_c4.search_text LIKE «$5::text») LIMIT 1001) AS l2',
    );
    const many = Array.from({ length: 1_001 }, (_, index) => index);
    const found = lookups?.read([[4, 5], many, [6]]);
    const { text, parameters } = compileConditionSql(condition, { ...options, lookups: found });
    expect(text).toMatch(
      /^\(\(t\.id = ANY\(\$2::bigint\[\]\)\) OR \(EXISTS \(SELECT FROM customers .* OFFSET 0\)\)\)$/,
    );
    expect(parameters).toEqual(['%x%', ['4', '5', '6']]);
  });
});

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
    // A missing coupon has no code either, so the coupons with a code are looked up.
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
    const lookups = compileLookupsSql(condition, options);
    expect(lookups?.text.replace(/[()]/g, '')).toBe(`SELECT ARRAY${select} LIMIT 1001 AS l0`.replace(/[()]/g, ''));
    expect(compileConditionSql(condition, { ...options, lookups: lookups?.read([[1, 2]]) }).text).toBe(some);
    expect(compileConditionSql(condition, { ...options, lookups: lookups?.read([[]]) }).text).toBe(none);
    const tooMany = lookups?.read([Array.from({ length: 1_001 }, (_, index) => index)]);
    expect(compileConditionSql(condition, { ...options, lookups: tooMany }).text).toContain(
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
  ])('look up rows that have the id of their owner, for %s', (search, select, some, none) => {
    const condition = conditionOf(search);
    const lookups = compileLookupsSql(condition, options);
    expect(lookups?.text.replace(/[()]/g, '')).toBe(`SELECT ARRAY${select} LIMIT 1001 AS l0`.replace(/[()]/g, ''));
    expect(compileConditionSql(condition, { ...options, lookups: lookups?.read([[1, 2]]) }).text).toBe(some);
    expect(compileConditionSql(condition, { ...options, lookups: lookups?.read([[]]) }).text).toBe(none);
    const tooMany = lookups?.read([Array.from({ length: 1_001 }, (_, index) => index)]);
    expect(compileConditionSql(condition, { ...options, lookups: tooMany }).text).toContain(
      'EXISTS (SELECT FROM answers',
    );
  });

  it.each(['customer.name=x', 'coupon=1', 'note=x', 'lines.text=x'])('do not exist for %s', (search) => {
    expect(compileLookupsSql(conditionOf(search), options)).toBeUndefined();
  });
});

describe('compileSortSql', () => {
  const sortOf = (...sort: string[]): SortSql => {
    const query = readCollectionQuery(orders, { search: [], sort });
    if (query.violations) throw new Error(String(query.violations[0].message));
    return compileSortSql(query.sort, { model: model, root: 'order', alias: 't', settings: {} });
  };

  it.each<[readonly string[], Pick<SortSql, 'joins' | 'orderBy' | 'columns'>]>([
    [[], { orderBy: 't.id', joins: '', columns: [{ sql: 't.id', direction: '' }] }],
    [
      ['total!desc'],
      {
        orderBy: 't.total DESC NULLS LAST, t.id',
        joins: '',
        columns: [
          { sql: 't.total', direction: ' DESC NULLS LAST' },
          { sql: 't.id', direction: '' },
        ],
      },
    ],
    [
      ['customer.name!asc', 'coupon.code!desc'],
      {
        orderBy: 't_1.name COLLATE "und-x-icu", t_2.code COLLATE "und-x-icu" DESC NULLS LAST, t.id',
        joins: 'JOIN customers t_1 ON t_1.id = t.customer_id\nLEFT JOIN coupons t_2 ON t_2.id = t.coupon_id',
        columns: [
          { sql: 't_1.name COLLATE "und-x-icu"', direction: '' },
          { sql: 't_2.code COLLATE "und-x-icu"', direction: ' DESC NULLS LAST' },
          { sql: 't.id', direction: '' },
        ],
      },
    ],
  ])('compiles the order %j', (texts, expected) => {
    expect(sortOf(...texts)).toMatchObject(expected);
  });

  it.each<[readonly string[], (string | null)[] | undefined, readonly SortPart[], readonly unknown[]]>([
    [[], undefined, [{ condition: 'true', orderBy: 't.id' }], []],
    [[], ['7'], [{ condition: 't.id > $1::bigint', orderBy: 't.id' }], ['7']],
    [
      ['customer.name!desc'],
      ['b', '7'],
      [
        {
          condition:
            't_1.name COLLATE "und-x-icu" <= $1::text AND (t_1.name COLLATE "und-x-icu" < $1::text OR (t_1.name COLLATE "und-x-icu" = $1::text AND (t.id > $2::bigint)))',
          orderBy: 't_1.name COLLATE "und-x-icu" DESC, t.id',
        },
      ],
      ['b', '7'],
    ],
    // The first key can be null: two parts, each in the order of an index.
    [
      ['total!desc'],
      undefined,
      [
        { condition: 't.total IS NOT NULL', orderBy: 't.total DESC, t.id' },
        { condition: 't.total IS NULL', orderBy: 't.id' },
      ],
      [],
    ],
    [
      ['total!asc'],
      ['1.5', '7'],
      [
        {
          condition:
            't.total >= $1::numeric AND (t.total > $1::numeric OR (t.total = $1::numeric AND (t.id > $2::bigint)))',
          orderBy: 't.total, t.id',
        },
        { condition: 't.total IS NULL', orderBy: 't.id' },
      ],
      ['1.5', '7'],
    ],
    [['total!asc'], [null, '7'], [{ condition: 't.total IS NULL AND t.id > $1::bigint', orderBy: 't.id' }], ['7']],
    // A later key can be null: null comes after every value.
    [
      ['id!asc', 'total!desc'],
      ['7', '1.5', '7'],
      [
        {
          condition:
            't.id >= $1::bigint AND (t.id > $1::bigint OR (t.id = $1::bigint AND ((t.total IS NULL OR (t.total < $2::numeric OR (t.total = $2::numeric AND (t.id > $3::bigint)))))))',
          orderBy: 't.id, t.total DESC NULLS LAST, t.id',
        },
      ],
      ['7', '1.5', '7'],
    ],
  ])('returns the parts of %j after %j', (sort, after, parts, values) => {
    const parameters = new SqlParameters();
    expect(sortOf(...sort).parts(after, parameters)).toEqual(parts);
    expect(parameters.values).toEqual(values);
  });

  it('compares with a position in one condition without parts', () => {
    const parameters = new SqlParameters();
    expect(sortOf('total!desc').after(['1.5', '7'], parameters)).toBe(
      '(t.total IS NULL OR (t.total < $1::numeric OR (t.total = $1::numeric AND (t.id > $2::bigint))))',
    );
    expect(sortOf('total!desc').after(undefined, parameters)).toBe('true');
  });
});
