import { describe, expect, it } from '@jest/globals';
import { SEARCH_LIMITS } from '../model/limits.js';
import { type Invalid, ViolationReport, toInvalid } from './violation.js';
import { parseSearch, type SearchText, throwMissingViolation } from './search-param.js';
import { readSort, type SortText } from './sort-param.js';

const parsed = (text: string): readonly unknown[] => {
  const search = parseSearch(text);
  if ('violations' in search) return search.violations.map(({ code, offset }) => `${code} ${String(offset)}`);
  const values = search.values.map((value) => value.text);
  return [search.key.text, search.operator, search.isList ? values : values[0]];
};

const parseSort = (text: string): SortText | Invalid => {
  const report = new ViolationReport('sort', text);
  return readSort(report) ?? toInvalid(report.violations) ?? throwMissingViolation();
};

describe('parseSearch', () => {
  it.each<[string, readonly unknown[]]>([
    ['/id=1', ['/id', '=', '1']],
    ['/id!=1', ['/id', '!=', '1']],
    ['name=~son', ['name', '=~', 'son']],
    ['name!~son', ['name', '!~', 'son']],
    ['id<1', ['id', '<', '1']],
    ['id<=1', ['id', '<=', '1']],
    ['id>1', ['id', '>', '1']],
    ['id>=1', ['id', '>=', '1']],
    // The first operator ends the key. The longest operator wins, and the rest is the value.
    ['name=a=b!c<d>e', ['name', '=', 'a=b!c<d>e']],
    ['name={=}', ['name', '=', ['=']]],
    ['name=~=', ['name', '=~', '=']],
    ['name=~~', ['name', '=~', '~']],
    ['name<=>', ['name', '<=', '>']],
    ['name=', ['name', '=', '']],
    ['name= x ', ['name', '=', ' x ']],
    ['name=a,b', ['name', '=', 'a,b']],
    ['name=a{b}', ['name', '=', 'a{b}']],
    ['name=\\,', ['name', '=', '\\,']],
    ['name=~%_\\', ['name', '=~', '%_\\']],
    // Operators inside brackets belong to the key.
    ['/Email/[a=b]/Address=c', ['/Email/[a=b]/Address', '=', 'c']],
    ['/Email/[!<>]/Address!=c', ['/Email/[!<>]/Address', '!=', 'c']],
    // A list of values is in braces.
    ['id={1}', ['id', '=', ['1']]],
    ['id!={1,2}', ['id', '!=', ['1', '2']]],
    ['name={a,}', ['name', '=', ['a', '']]],
    ['name={,}', ['name', '=', ['', '']]],
    ['name={\\,,\\{\\},\\\\}', ['name', '=', [',', '{}', '\\']]],
    ['name={ a , b}', ['name', '=', [' a ', ' b']]],
  ])('splits %s', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    ['', 'missing_operator 0'],
    ['name', 'missing_operator 4'],
    ['/Email/[work=x', 'unclosed_bracket 14'],
    ['=x', 'invalid_key 0'],
    ['name!x', 'unknown_operator 4'],
    ['name!', 'unknown_operator 4'],
    ['name==', 'unknown_operator 5'],
    ['name==x', 'unknown_operator 5'],
    ['name!==x', 'unknown_operator 6'],
    ['name={}', 'empty_list 5'],
    ['name={a', 'unclosed_list 5'],
    ['name={', 'unclosed_list 5'],
    ['name={a\\}', 'unclosed_list 5'],
    ['name={a}b', 'invalid_list 8'],
    ['name={a{b}', 'invalid_list 7'],
    ['name={a\\n}', 'invalid_escape 7'],
    ['name={a\\', 'invalid_escape 7'],
    ['name=~{a}', 'list_not_allowed 4'],
    ['name<{a}', 'list_not_allowed 4'],
    ['name!~{a}', 'list_not_allowed 4'],
  ])('rejects %s: %s', (text, expected) => {
    expect(parsed(text)).toEqual([expected]);
  });

  it('returns the positions of key and values', () => {
    const { key, values } = parseSearch('/id={1,\\,}') as SearchText;
    expect(key).toEqual({ text: '/id', offset: 0, length: 3 });
    expect(values).toEqual([
      { text: '1', offset: 5, length: 1 },
      { text: ',', offset: 7, length: 2 },
    ]);
  });

  it('rejects a list above the limit', () => {
    const list = (length: number): string => `id={${Array.from({ length }, () => '1').join(',')}}`;
    expect(parsed(list(SEARCH_LIMITS.listItems))[1]).toBe('=');
    expect(parsed(list(SEARCH_LIMITS.listItems + 1))).toEqual(['limit_exceeded 3']);
  });

  it('rejects a text above the limit', () => {
    const text = (length: number): string => `name=${'x'.repeat(length - 5)}`;
    expect(parsed(text(SEARCH_LIMITS.textLength))[0]).toBe('name');
    expect(parsed(text(SEARCH_LIMITS.textLength + 1))).toEqual([`limit_exceeded ${String(SEARCH_LIMITS.textLength)}`]);
  });
});

describe('parseSort', () => {
  it.each([
    ['name!asc', ['name', false]],
    ['a.b!desc', ['a.b', true]],
    ['!asc', ['', false]],
  ])('splits %s', (text, expected) => {
    const sort = parseSort(text);
    expect('violations' in sort ? sort.violations : [sort.key.text, sort.isDescending]).toEqual(expected);
  });

  it.each([
    ['name', 4],
    ['', 0],
    ['name!', 4],
    ['name!ASC', 4],
    ['name!asc ', 4],
    ['name!asc!desc', 4],
    ['name asc', 8],
  ])('rejects %s, which has no direction', (text, offset) => {
    expect(parseSort(text)).toMatchObject({ violations: [{ code: 'invalid_direction', offset, parameter: 'sort' }] });
  });
});
