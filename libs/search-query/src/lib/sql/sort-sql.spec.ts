import { describe, expect, it } from '@jest/globals';
import { model, orders } from '../../../test/orders.js';
import { readCollectionQuery } from '../reading/collection-query.js';
import { compileSortSql, type SortPart, type SortSql } from './sort-sql.js';
import { SqlParameters } from './sql-scope.js';

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
    // The first key can be null, so the page is read in two parts. Each part has the order of an index.
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
    // A later key can be null. Null comes after all other values of this key.
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

  it('`after` returns one condition for a position, without parts', () => {
    const parameters = new SqlParameters();
    expect(sortOf('total!desc').after(['1.5', '7'], parameters)).toBe(
      '(t.total IS NULL OR (t.total < $1::numeric OR (t.total = $1::numeric AND (t.id > $2::bigint))))',
    );
    expect(sortOf('total!desc').after(undefined, parameters)).toBe('true');
  });
});
