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
  it('stays the same when it is written into an address and read again', () => {
    expect(fromFragment(`#${toFragment(QUERY)}`)).toEqual(QUERY);
    expect(fromFragment('')).toEqual(EMPTY_QUERY);
  });

  it('ignores unknown names in an address', () => {
    expect(fromFragment('#per_page=3&sort=id')).toEqual({ ...EMPTY_QUERY, sort: [{ path: 'id', direction: 'asc' }] });
  });

  it('has the filters, but not the sort keys, in the parameters of a count', () => {
    expect([...toCountParameters(QUERY).keys()]).toEqual(['by', 'search', 'search', 'where', 'saved_search']);
  });
});

describe('a click on a heading', () => {
  it('sorts ascending at first, then descending, and then removes the sort key', () => {
    const first = toggleSort(EMPTY_QUERY, 'a', false);
    const second = toggleSort(first, 'a', false);
    expect([first, second, toggleSort(second, 'a', false)].map(({ sort }) => sort)).toEqual([
      [{ path: 'a', direction: 'asc' }],
      [{ path: 'a', direction: 'desc' }],
      [],
    ]);
  });

  it('keeps the sort keys of other columns only when the click adds a sort key', () => {
    const first = toggleSort(EMPTY_QUERY, 'a', false);
    expect(toggleSort(first, 'b', true).sort.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(toggleSort(first, 'b', false).sort.map(({ path }) => path)).toEqual(['b']);
  });
});
