import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { inEnglish } from '../../test/in-english.js';
import { parsePageParameters } from './page-parameters.js';

const parse = (query: string) => parsePageParameters(new URLSearchParams(query));

describe('parsePageParameters', () => {
  test.each([
    ['', 1, 100],
    ['page=1&per_page=1', 1, 1],
    ['page=2', 2, 100],
    ['per_page=1000', 1, 1000],
    ['per_page=25&sort=id!asc&page=7', 7, 25],
    ['page=2147483647', 2_147_483_647, 100],
    ['Page=0&perpage=0&pages=0', 1, 100],
    ['search=/page=0&search=/page=1', 1, 100],
  ])('reads "%s" as page %d of %d items', (query, page, perPage) => {
    expect(parse(query)).toStrictEqual({ page, perPage, after: undefined });
  });

  test.each([
    ['after=x', 'x'],
    ['page=3&after=a-b_9&per_page=5', 'a-b_9'],
    [`after=${'x'.repeat(2048)}`, 'x'.repeat(2048)],
    ['after=%00%20%C3%A9', '\u0000 é'],
    ['AFTER=x&before=x', undefined],
  ])('reads the cursor of "%s"', (query, after) => {
    expect(parse(query)).toMatchObject({ after });
  });

  test.each([
    ['after=', 'expected a cursor of 1 to 2048 characters, found 0: ""'],
    [`after=${'x'.repeat(2049)}`, `expected a cursor of 1 to 2048 characters, found 2049: "${'x'.repeat(40)}…"`],
    ['after=x&after=x', 'expected the parameter once, found 2 times: "x", "x"'],
  ])('rejects the cursor of "%s"', (query, info) => {
    expect(inEnglish(parse(query))).toEqual({ violations: [{ parameter: 'after', code: 'invalid', message: info }] });
  });

  test.each([
    '0',
    '-1',
    '2147483648',
    '99999999999999999999',
    '1.0',
    '1e3',
    '+1',
    '01',
    '0x1',
    ' 1',
    '1 ',
    '',
    'one',
    '١',
    'Infinity',
    '1_000',
  ])('rejects the page %j', (text) => {
    const info = `expected an integer from 1 to 2147483647, found ${JSON.stringify(text)}`;
    expect(inEnglish(parsePageParameters([['page', text]]))).toEqual({
      violations: [{ parameter: 'page', code: 'invalid', message: info }],
    });
  });

  test.each(['0', '1001', '1e2', ''])('rejects the page size %j', (text) => {
    const info = `expected an integer from 1 to 1000, found ${JSON.stringify(text)}`;
    expect(inEnglish(parsePageParameters([['per_page', text]]))).toEqual({
      violations: [{ parameter: 'per_page', code: 'invalid', message: info }],
    });
  });

  test('reports the violations of all parameters together', () => {
    const { violations } = parse('after=&per_page=1001&page=0');
    expect(violations?.map(({ parameter }) => parameter)).toEqual(['page', 'per_page', 'after']);
  });

  test.each([
    ['page=1&page=1', 'found 2 times: "1", "1"'],
    ['page=0&q=a&page=x', 'found 2 times: "0", "x"'],
    ['page=1&page=2&page=3', 'found 3 times: "1", "2", "3"'],
    ['page=1&page=2&page=3&page=4', 'found 4 times: "1", "2", "3", …'],
  ])('rejects a parameter that is given more than once: %s', (query, found) => {
    expect(inEnglish(parse(query))).toEqual({
      violations: [{ parameter: 'page', code: 'invalid', message: `expected the parameter once, ${found}` }],
    });
  });

  test('quotes 40 characters of a text in full and cuts a longer one', () => {
    const infoOf = (text: string) => parsePageParameters([['page', text]]).violations?.[0]?.message.toString();
    expect(infoOf('é'.repeat(40))).toContain(`"${'é'.repeat(40)}"`);
    expect(infoOf('👩'.repeat(41))).toContain(`"${'👩'.repeat(40)}…"`);
  });

  test('accepts exactly the page sizes from 1 to 1000', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2000, max: 2000 }), (perPage) => {
        const result = parsePageParameters([['per_page', String(perPage)]]);
        if (perPage >= 1 && perPage <= 1000) expect(result).toEqual({ page: 1, perPage });
        else expect(result.violations).toHaveLength(1);
      }),
    );
  });

  test('returns values in range or violations for any query, and never throws', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.double().map(String));
    const pairs = fc.tuple(fc.constantFrom('page', 'per_page', 'after', 'q'), texts);
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 4 }), (query) => {
        const result = parsePageParameters(query);
        if (result.violations !== undefined) expect(result.violations.length).toBeGreaterThan(0);
        else {
          expect(result.page >= 1 && result.page <= 2 ** 31 - 1 && Number.isInteger(result.page)).toBe(true);
          expect(result.perPage >= 1 && result.perPage <= 1000 && Number.isInteger(result.perPage)).toBe(true);
          expect(result.after).not.toBe('');
        }
      }),
    );
  });
});

test('parsePageParameters accepts the page sizes that the collection allows', () => {
  const sizes = { defaultPerPage: 20, maxPerPage: 50 };
  const read = (query: string) => parsePageParameters(new URLSearchParams(query), sizes);
  expect([read(''), read('per_page=50')]).toEqual([
    { page: 1, perPage: 20, after: undefined },
    { page: 1, perPage: 50, after: undefined },
  ]);
  expect(String(read('per_page=51').violations?.[0]?.message)).toBe('expected an integer from 1 to 50, found "51"');
});

describe('names of another API', () => {
  test('are read, and named in violations', () => {
    const names = { page: 'p', perPage: 'size', after: 'cursor' };
    const query = new URLSearchParams('p=3&size=20&cursor=abc&page=0&per_page=x&after=');
    expect(parsePageParameters(query, { names })).toEqual({ page: 3, perPage: 20, after: 'abc' });
    const { violations } = parsePageParameters(new URLSearchParams('p=0&size=x&cursor='), { names });
    expect(violations?.map(({ parameter }) => parameter)).toEqual(['p', 'size', 'cursor']);
  });
});
