// @group split: npm test draws a tenth of the random cases
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { model, orders } from '../../test/orders.js';
import {
  type CollectionParameters,
  type CollectionQuery,
  combineQueries,
  exceededLimit,
  EVERYTHING,
  readCollectionQuery,
} from './reading/collection-query.js';
import { compileConditionClosure, compileSortComparator } from './in-memory/compile-closure.js';
import { compileConditionSql } from './sql/compile-sql.js';
import { formatSearchViolation } from './reading/violation.js';
import { SEARCH_LIMITS } from './model/limits.js';
import { compileSortSql } from './sql/sort-sql.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const violationsOf = (parameters: { search?: string[]; filter?: string; sort?: string[] }): readonly string[] => {
  const query = readCollectionQuery(orders, { search: [], sort: [], ...parameters });
  return (query.violations ?? []).map(({ parameter, code, text }) => `${parameter} ${code} ${text}`);
};

describe('readCollectionQuery', () => {
  it('reports the violations of all parameters together', () => {
    expect(
      violationsOf({
        search: ['id=x', 'id=1', 'nope=1', 'id={y,z}'],
        filter: '',
        sort: ['note', 'id!asc', 'nope!asc'],
      }),
    ).toEqual([
      'search invalid_value id=x',
      'search unknown_key nope=1',
      'search invalid_value id={y,z}',
      'search invalid_value id={y,z}',
      'filter empty_value ',
      'sort invalid_direction note',
      'sort unknown_key nope!asc',
    ]);
  });

  it.each([
    ['tags!asc', 'not_sortable'],
    ['lines.text!asc', 'not_sortable'],
    ['lines!asc', 'not_sortable'],
    ['customer!asc', 'not_a_value'],
    ['/note!asc', 'invalid_key'],
    ['!asc', 'invalid_key'],
  ])('rejects sorting by %s', (sort, code) => {
    expect(violationsOf({ sort: [sort] })).toEqual([`sort ${code} ${sort}`]);
  });

  it.each([
    ['search', 'id=1', SEARCH_LIMITS.conditions],
    ['sort', 'id!asc', SEARCH_LIMITS.sortKeys],
  ] as const)('accepts the parameter %s up to its limit, and rejects one more', (parameter, text, limit) => {
    const given = (length: number): readonly string[] =>
      violationsOf({ [parameter]: Array.from({ length }, () => text) });
    expect(given(limit)).toEqual([]);
    expect(given(limit + 1)).toEqual([`${parameter} limit_exceeded `]);
  });

  it('rejects more relations than the limit', () => {
    // Each condition follows three relations.
    const search = (length: number): string[] => Array.from({ length }, () => 'delivery.carrier.Phone.Number=1');
    expect(violationsOf({ search: search(20) })).toEqual([]);
    expect(violationsOf({ search: search(20), sort: ['customer.name!asc'] })).toEqual(['search limit_exceeded ']);
  });

  it('rejects a filter above the limit of characters', () => {
    expect(violationsOf({ filter: 'x'.repeat(SEARCH_LIMITS.filterLength) })).toEqual([]);
    expect(violationsOf({ filter: 'x'.repeat(SEARCH_LIMITS.filterLength + 1) })).toHaveLength(1);
    expect(violationsOf({ filter: 'a\0' })).toEqual(['filter invalid_text a\0']);
  });

  it('lists every datapath that it reads, once', () => {
    const query = readCollectionQuery(orders, {
      search: ['/customer/name=x', 'order.customer.name!=y', 'coupon=1'],
      filter: 'x',
      sort: ['payer.name!asc'],
    });
    expect(query.violations ?? query.datapaths).toEqual([
      'customer.name',
      'coupon',
      'note',
      'due',
      'tags',
      'lines.text',
      'payer.name',
    ]);
  });

  it('compiles any text to SQL and to closures, or returns violations inside the text, and never throws', () => {
    const pieces = [
      'id',
      'note',
      'due',
      'tags',
      'lines',
      'text',
      'customer',
      'name',
      'order',
      'delivery',
      '/',
      '.',
      '*',
      '[home]',
      '[',
      ']',
      '~',
      '~1',
      '=',
      '!',
      '<',
      '>',
      '{',
      '}',
      ',',
      '\\',
      '!asc',
      '!desc',
      '1',
      '2026-01-01',
      'T00:00Z',
      'true',
      '\0',
      'ß',
      '😀',
      '\ud800',
      'formdata',
      'constructor',
      '__proto__',
      ' ',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    const texts = fc.array(text, { maxLength: 3 });
    fc.assert(
      fc.property(texts, fc.option(text, { nil: undefined }), texts, (search, filter, sort) => {
        const query = readCollectionQuery(orders, { search, filter, sort });
        if (query.violations) {
          for (const violation of query.violations) {
            expect(violation.offset + violation.length).toBeLessThanOrEqual(violation.text.length);
            expect(formatSearchViolation(violation).length).toBeLessThan(600);
          }
          return;
        }
        compileConditionSql(query.condition, { model, alias: 't', settings: {} });
        compileConditionClosure(query.condition, orders)({ id: 1 });
        compileSortSql(query.sort, { model, root: 'order', alias: 't', settings: {} });
        expect(compileSortComparator(query.sort, orders)({ id: 1 }, { id: 2 })).toBeLessThan(0);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('combineQueries', () => {
  const read = (parameters: Partial<CollectionParameters>): CollectionQuery => {
    const query = readCollectionQuery(orders, { search: [], sort: [], ...parameters });
    if (query.violations) throw new Error(formatSearchViolation(query.violations[0]));
    return query;
  };
  const unsorted = read({ search: ['id>1'] });
  const first = read({ search: ['id<4'], sort: ['note!asc'] });
  const second = read({ filter: 'x', sort: ['due!desc', 'payer.name!asc'] });

  it('matches the items that match every query', () => {
    const matches = compileConditionClosure(combineQueries([unsorted, first, second]).condition, orders);
    const notes = ['x', 'x', 'y', 'x'];
    expect(notes.map((note, index) => matches({ id: index + 1, note }))).toEqual([false, true, false, false]);
  });

  it('keeps the order of the first query that has sort keys, and omits the datapaths of other orders', () => {
    const combined = combineQueries([unsorted, first, second]);
    expect(combined.sort).toEqual(first.sort);
    expect(combined.datapaths).toEqual(['id', 'note', 'due', 'tags', 'customer.name', 'lines.text']);
    expect(combineQueries([second, first]).sort).toEqual(second.sort);
    expect(combineQueries([second, first]).datapaths).toContain('payer.name');
  });

  it('matches everything without queries, or with empty queries', () => {
    expect(combineQueries([])).toEqual(EVERYTHING);
    expect(combineQueries([EVERYTHING, EVERYTHING])).toEqual(EVERYTHING);
  });
});

describe('exceededLimit', () => {
  const read = (search: readonly string[]): CollectionQuery => {
    const query = readCollectionQuery(orders, { search, sort: [] });
    if (query.violations) throw new Error(formatSearchViolation(query.violations[0]));
    return query;
  };
  const list = (length: number, value: string): string => `note={${Array.from({ length }, () => value).join(',')}}`;
  const exceeded = (...queries: readonly CollectionQuery[]): string | undefined =>
    exceededLimit(combineQueries(queries))?.toString();

  it('counts the conditions of all queries together', () => {
    const half = read(Array.from({ length: SEARCH_LIMITS.conditions / 2 }, () => 'id>1'));
    expect(exceeded(half, half)).toBeUndefined();
    expect(exceeded(half, half, read(['id=1']))).toBe('expected at most 20 conditions in total, found 21');
  });

  it('applies the limits that the host sets', () => {
    const limits = { conditions: 1, sortKeys: 25 };
    const two = readCollectionQuery({ ...orders, limits }, { search: ['id=1', 'id=2'] });
    expect(two.violations?.map(({ code }) => code)).toEqual(['limit_exceeded']);
    expect(exceededLimit(read(['id=1', 'id=2']), limits)?.toString()).toBe(
      'expected at most 1 conditions in total, found 2',
    );
  });

  it('counts the values of all queries together', () => {
    const quarter = read([list(SEARCH_LIMITS.listItems, 'x')]);
    expect(exceeded(quarter, quarter, quarter, quarter)).toBeUndefined();
    expect(exceeded(quarter, quarter, quarter, quarter, read(['id=1']))).toBe(
      'expected at most 4000 values in all conditions together, found 4001',
    );
  });

  it('counts the characters of all values together', () => {
    const half = read([list(10, 'x'.repeat(4_096 / 2)), list(5, 'x'.repeat(4_096))]);
    expect(exceeded(half, half)).toBeUndefined();
    expect(exceeded(half, half, half)).toMatch(
      /^expected the values .* at most 81920 characters in total, found 122880$/,
    );
  });

  it('applies to the conditions of a single query too', () => {
    const query = readCollectionQuery(orders, { search: Array.from({ length: 5 }, () => list(1_000, 'x')), sort: [] });
    expect((query.violations ?? []).map(({ code, message }) => [code, String(message)])).toEqual([
      ['limit_exceeded', 'expected at most 4000 values in all conditions together, found 5000'],
    ]);
  });
});
