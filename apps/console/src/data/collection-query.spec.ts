import { describe, expect, it } from '@jest/globals';
import { EMPTY_QUERY, fromFragment, toCountParameters, toFragment, toggleSort } from './collection-query.js';

const QUERY = {
  ...EMPTY_QUERY,
  search: ['/lastname=Lovelace', '/tags={a,b}'],
  where: 'candidate.id > 1 AND candidate.email =~ "a&b"',
  sort: [{ path: 'candidate.lastname', direction: 'desc' as const }],
  columns: ['id', 'lastname'],
  saved_search: '3',
  by: 'candidate.status',
};

describe('the query of a collection', () => {
  it('is the same after it was written into an address and read again', () => {
    expect(fromFragment(`#${toFragment(QUERY)}`)).toEqual(QUERY);
    expect(fromFragment('')).toEqual(EMPTY_QUERY);
  });

  it('ignores names in an address that it does not know', () => {
    expect(fromFragment('#per_page=3&sort=id')).toEqual({ ...EMPTY_QUERY, sort: [{ path: 'id', direction: 'asc' }] });
  });

  it('keeps the parameters that filter for counting, and omits those that sort', () => {
    expect([...toCountParameters(QUERY).keys()]).toEqual(['by', 'search', 'search', 'where', 'saved_search']);
  });
});

describe('a click on a heading', () => {
  it('sorts ascending, then descending, then not at all', () => {
    const first = toggleSort(EMPTY_QUERY, 'a', false);
    const second = toggleSort(first, 'a', false);
    expect([first, second, toggleSort(second, 'a', false)].map(({ sort }) => sort)).toEqual([
      [{ path: 'a', direction: 'asc' }],
      [{ path: 'a', direction: 'desc' }],
      [],
    ]);
  });

  it('keeps the other sort keys only when the key is added', () => {
    const first = toggleSort(EMPTY_QUERY, 'a', false);
    expect(toggleSort(first, 'b', true).sort.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(toggleSort(first, 'b', false).sort.map(({ path }) => path)).toEqual(['b']);
  });
});
