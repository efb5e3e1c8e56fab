import { describe, expect, it } from '@jest/globals';
import {
  compileConditionSql,
  compileSortSql,
  readCollectionQuery,
  type SearchSubject,
  type SqlObject,
  type SqlObjectModel,
} from '../index.js';
import { compileConditionClosure, compileSortComparator } from '../testing.js';

const types: Readonly<Record<string, SqlObject>> = {
  country: {
    name: 'country',
    table: 'countries',
    attributes: {
      code: { type: 'text', sql: (row) => `${row}.iso` },
      size: { type: 'integer', sql: (row) => `${row}.size` },
    },
    relations: {
      capital: { target: 'city', column: 'capital_iso', join: (from, to) => `${to}.iso = ${from}.capital_iso` },
      cities: {
        target: 'city',
        many: true,
        ownerColumn: 'country_iso',
        join: (from, to) => `${to}.country_iso = ${from}.iso`,
      },
    },
  },
  city: {
    name: 'city',
    table: 'cities',
    attributes: { code: { type: 'text', sql: (row) => `${row}.iso` } },
    relations: {},
  },
};
const model: SqlObjectModel = { type: (name) => types[name], idAttribute: 'code', idColumn: 'iso' };
const subject: SearchSubject = {
  model,
  root: 'country',
  representation: [
    { pointer: '/code', datapath: 'code', filterable: true },
    { pointer: '/capital/code', datapath: 'capital.code', filterable: false },
  ],
};

function read(search: readonly string[], sort: readonly string[] = []) {
  const query = readCollectionQuery(subject, { search, sort });
  if (query.violations) throw new Error(String(query.violations[0].message));
  return query;
}

describe('a model whose objects are identified by another attribute than id', () => {
  it('compares a reference by this attribute, without a join', () => {
    for (const key of ['capital', '/capital', '/capital/code']) {
      const { text } = compileConditionSql(read([`${key}=VIE`]).condition, { model, alias: 't' });
      expect([key, text]).toEqual([key, '(t.capital_iso = $1::text)']);
    }
  });

  it('adds this attribute as the last sort key, in SQL and in memory', () => {
    const { sort } = read([], ['size!desc']);
    expect(compileSortSql(sort, { model, root: 'country', alias: 't' }).orderBy).toBe(
      't.size DESC NULLS LAST, t.iso COLLATE "und-x-icu"',
    );
    const rows = [
      { code: 'CH', size: 4 },
      { code: 'AT', size: 4 },
      { code: 'DE', size: 9 },
    ];
    const codes = [...rows].sort(compileSortComparator(sort, { model })).map(({ code }) => code);
    expect(codes).toEqual(['DE', 'AT', 'CH']);
  });

  it('has the same result in memory as in SQL', () => {
    const matches = compileConditionClosure(read(['capital=VIE']).condition, { model });
    expect([matches({ code: 'AT', capital: { code: 'VIE' } }), matches({ code: 'CH', capital: null })]).toEqual([
      true,
      false,
    ]);
  });

  it('suggests this attribute when a client sorts by a reference', () => {
    const query = readCollectionQuery(subject, { search: [], sort: ['capital!asc'] });
    expect(String(query.violations?.[0].hint)).toBe('did you mean "capital.code"?');
  });
});
