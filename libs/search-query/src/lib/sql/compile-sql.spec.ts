import { describe, expect, it } from '@jest/globals';
import { conditionOf, SQL_OPTIONS } from '../../../test/conditions.js';
import { customers, model, orders } from '../../../test/orders.js';
import { EVERYTHING } from '../reading/collection-query.js';
import { compileConditionSql, type SqlText } from './compile-sql.js';
import { type Condition } from '../model/condition.js';
import { type SearchSubject } from '../model/search-model.js';
import { SqlParameters } from './sql-scope.js';

const compile = (text: string, subject: SearchSubject = orders): SqlText =>
  compileConditionSql(conditionOf(text, subject), SQL_OPTIONS);

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
    // E-mail addresses are compared regardless of case, with the same expression as in their indexes.
    ['contact=A.b@X.org', 'lower(t.contact) = $1::text', ['a.b@x.org']],
    ['contact!=A@X.org', '(lower(t.contact) = $1::text) IS NOT TRUE', ['a@x.org']],
    ['contact={A@X.org,B@X.org}', 'lower(t.contact) = ANY($1::text[])', [['a@x.org', 'b@x.org']]],
    ['contact={A@X.org,}', '(t.contact IS NULL OR lower(t.contact) = ANY($1::text[]))', [['a@x.org', '']]],
    ['contact<M', 't.contact COLLATE "und-x-icu" < $1::text', ['M']],
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
    // Substrings: `%` and `_` are normal characters. PostgreSQL folds the case of both the column and the value.
    ['note=~a%_\\', `${fold('t.note')} LIKE ${fold('$1::text')}`, ['%a\\%\\_\\\\%']],
    ['note!~a', `(${fold('t.note')} LIKE ${fold('$1::text')}) IS NOT TRUE`, ['%a%']],
    ['total=~1', `${fold('trim_scale(t.total::numeric)::text')} LIKE ${fold('$1::text')}`, ['%1%']],
    // To-one relations: the SQL is an EXISTS. When an id is compared and the relation names the foreign key, only the
    // key is compared.
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
    // A missing value counts as empty. So the SQL excludes only items with a value that is not empty.
    [
      'payer.name=',
      'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.name IS NOT NULL AND NOT (t_c1.name COLLATE "und-x-icu" = $1::text)))',
      [''],
    ],
    ['payer=', 'NOT (EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.payer_id AND t_c1.id IS NOT NULL))', []],
    // An object that is stored in the row of its owner needs no join.
    ['delivery.sent_dt=', 't.delivery_sent_dt IS NULL', []],
    ['delivery.carrier=1', 't.carrier_id = $1::bigint', ['1']],
    // To-many relations: a positive operator is true when at least one element has the value. A negative operator is
    // true when no element has the value.
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

  it('numbers its parameters after the parameters that the statement already has', () => {
    const parameters = new SqlParameters();
    expect(parameters.add(100)).toBe('$1');
    const sql = compileConditionSql(conditionOf('id=1'), { model: model, alias: 't', settings: {}, parameters });
    expect(sql).toEqual({ text: 't.id = $2::bigint', parameters: [100, '1'] });
  });

  it('compares a long list with the rows of another table once, not for each row', () => {
    const list = Array.from({ length: 21 }, (_, index) => `x${index}`);
    const inner =
      'SELECT t_c1.id AS id FROM customers t_c1 WHERE t_c1.name COLLATE "und-x-icu" = ANY($1::text[]) OFFSET 0';
    const holds = `EXISTS (SELECT FROM (${inner}) t_c2 WHERE t_c2.id = t.customer_id)`;
    expect(compile(`customer.name={${list.join(',')}}`)).toEqual({ text: holds, parameters: [list] });
    expect(compile(`customer.name!={${list.join(',')}}`)).toEqual({ text: `NOT (${holds})`, parameters: [list] });
    expect(compile(`customer.name={${list.slice(1).join(',')}}`).text).not.toContain('OFFSET');
  });

  it('returns the same text for long lists of any length', () => {
    const list = (length: number): string =>
      compile(`lines.text={${Array.from({ length }, (_, index) => index).join(',')}}`).text;
    expect(list(21)).toBe(list(1_000));
  });

  it('returns the same text for short lists of any length', () => {
    for (const key of ['id', 'note', 'customer', 'lines.text']) {
      const list = (length: number): string =>
        compile(`${key}={${Array.from({ length }, (_, index) => index + 1).join(',')}}`).text;
      expect(list(2)).toBe(list(20));
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
