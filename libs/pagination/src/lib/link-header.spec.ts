import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { linkHeader, type LinkHeaderOptions } from './link-header.js';
import { parsePageParameters } from './page-parameters.js';
import { readLinks } from '../../test/read-links.js';

const BASE = 'https://ats.example/api/v1/candidates';
const page = { url: BASE, page: 1, perPage: 100, total: 250 };
const targets = (options: Partial<LinkHeaderOptions>) => readLinks(linkHeader({ ...page, ...options }));

/** Returns the page number of each relation. */
function numbers(options: Partial<LinkHeaderOptions>): Record<string, number> {
  const entries = [...targets(options)].map(([relation, url]) => [
    relation,
    Number(new URL(url).searchParams.get('page')),
  ]);
  return Object.fromEntries(entries) as Record<string, number>;
}

describe('linkHeader', () => {
  test('writes the relations in the syntax of RFC 8288', () => {
    expect(linkHeader({ ...page, page: 2 })).toBe(
      [
        `<${BASE}?page=1>; rel="first"`,
        `<${BASE}?page=1>; rel="prev"`,
        `<${BASE}?page=3>; rel="next"`,
        `<${BASE}?page=3>; rel="last"`,
      ].join(', '),
    );
  });

  test.each<[string, Partial<LinkHeaderOptions>, Record<string, number>]>([
    ['the first page has no prev', {}, { first: 1, next: 2, last: 3 }],
    ['a middle page has all four relations', { page: 2 }, { first: 1, prev: 1, next: 3, last: 3 }],
    ['the last page has no next', { page: 3 }, { first: 1, prev: 2, last: 3 }],
    ['prev of the page after the last page is the last page', { page: 4 }, { first: 1, prev: 3, last: 3 }],
    ['prev of a page far past the end is the last page', { page: 2 ** 31 - 1 }, { first: 1, prev: 3, last: 3 }],
    ['a single page is both first and last', { total: 100 }, { first: 1, last: 1 }],
    ['an item beyond the first page makes a second page', { total: 101 }, { first: 1, next: 2, last: 2 }],
    ['an empty collection has one page', { total: 0 }, { first: 1, last: 1 }],
    ['past the end of an empty collection, prev is page 1', { total: 0, page: 2 }, { first: 1, prev: 1, last: 1 }],
    ['without a total there is no last', { total: undefined, hasNext: true, page: 2 }, { first: 1, prev: 1, next: 3 }],
    [
      'without a total and with hasNext false there is no next',
      { total: undefined, hasNext: false, page: 2 },
      { first: 1, prev: 1 },
    ],
    ['without total and hasNext there is no next', { total: undefined }, { first: 1 }],
    ['hasNext true overrides a smaller total', { total: 100, hasNext: true }, { first: 1, next: 2, last: 2 }],
    ['hasNext false overrides a larger total', { total: 300, hasNext: false }, { first: 1, last: 3 }],
    [
      'no link leads beyond the largest page number',
      { total: 2 ** 40, perPage: 1, page: 2 ** 31 - 1 },
      { first: 1, prev: 2 ** 31 - 2, last: 2 ** 31 - 1 },
    ],
    [
      'no link leads beyond the largest page number without a total',
      { total: undefined, hasNext: true, page: 2 ** 31 - 1 },
      { first: 1, prev: 2 ** 31 - 2 },
    ],
  ])('%s', (_, options, expected) => {
    expect(numbers(options)).toEqual(expected);
  });

  test.each([
    ['sets the page in its place', '?a=1&page=2&b=2', '?a=1&page=1&b=2'],
    ['adds the page at the end', '?a=1', '?a=1&page=1'],
    [
      'keeps repeated parameters in their order',
      '?search=b&sort=x!asc&search=a&page=9',
      '?search=b&sort=x!asc&search=a&page=1',
    ],
    ['keeps escapes as they were sent', '?q=%2f%2F%c3%a9+%20&page=2', '?q=%2f%2F%c3%a9+%20&page=1'],
    [
      'keeps brackets, commas and exclamation marks',
      "?search=/Email/[work]/Address!=a,b;'()*&page=2",
      "?search=/Email/[work]/Address!=a,b;'()*&page=1",
    ],
    ['keeps empty parameters', '?&a&b=&&page=2&', '?&a&b=&&page=1&'],
    [
      'keeps parameters whose names only resemble page',
      '?xpage=2&page%20=3&PAGE=4',
      '?xpage=2&page%20=3&PAGE=4&page=1',
    ],
    ['recognises page under an escaped name', '?p%61ge=2&a=1', '?page=1&a=1'],
    ['replaces several page parameters by one', '?page=2&a=1&page=3', '?page=1&a=1'],
    ['drops the cursor of the request', '?after=abc&a=1', '?a=1&page=1'],
    ['drops a fragment', '?a=1#page=2', '?a=1&page=1'],
    ['accepts an empty query', '?', '?page=1'],
    ['keeps a broken name', '?%ff=1&%E0%A4%A=2', '?%ff=1&%E0%A4%25A=2&page=1'],
    [
      'encodes characters that would end the target or the header',
      '?q=a>b<c"d e\r\nf',
      '?q=a%3Eb%3Cc%22d%20e%0D%0Af&page=1',
    ],
    [
      'encodes characters that no URL may contain',
      '?q={a|b}\\^`é👩\ud800',
      '?q=%7Ba%7Cb%7D%5C%5E%60%C3%A9%F0%9F%91%A9%EF%BF%BD&page=1',
    ],
    ['encodes a % that starts no escape', '?q=100%&r=%zz%41', '?q=100%25&r=%25zz%41&page=1'],
  ])('%s', (_, query, expected) => {
    expect(targets({ url: BASE + query }).get('first')).toBe(BASE + expected);
  });

  test('keeps per_page of the request, and adds per_page when the page size is not the default', () => {
    expect(targets({ url: `${BASE}?per%5Fpage=10&page=1`, perPage: 10 }).get('next')).toBe(
      `${BASE}?per%5Fpage=10&page=2`,
    );
    expect(targets({ perPage: 10 }).get('next')).toBe(`${BASE}?per_page=10&page=2`);
  });

  test('adds the escaped cursor to next only', () => {
    const links = targets({ url: `${BASE}?page=2&after=old`, page: 2, after: 'a/b= c' });
    expect(links.get('next')).toBe(`${BASE}?page=3&after=a%2Fb%3D%20c`);
    expect([...links.values()].filter((url) => url.includes('after'))).toHaveLength(1);
  });

  test.each<[string, Partial<LinkHeaderOptions>]>([
    ['a relative URL', { url: '/api/v1/candidates' }],
    ['a URL without a host', { url: 'https://' }],
    ['page 0', { page: 0 }],
    ['page 1.5', { page: 1.5 }],
    ['a page above the largest page number', { page: 2 ** 31 }],
    ['a page size of 0', { perPage: 0 }],
    ['a page size of 1001', { perPage: 1001 }],
    ['a negative total', { total: -1 }],
    ['a total that is not a number', { total: NaN }],
  ])('rejects %s', (_, options) => {
    expect(() => linkHeader({ ...page, ...options })).toThrow(RangeError);
  });
});

describe('for any collection', () => {
  const queries = fc.array(
    fc.tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 })),
    { maxLength: 5 },
  );
  const isPaging = (name: string) => ['page', 'per_page', 'after'].includes(name);

  test('following next from page 1 visits every page exactly once and ends', () => {
    const collections = fc.record({
      total: fc.nat({ max: 60 }),
      perPage: fc.integer({ min: 1, max: 7 }),
      isCounted: fc.boolean(),
      hasCursor: fc.boolean(),
    });
    fc.assert(
      fc.property(collections, ({ total, perPage, isCounted, hasCursor }) => {
        const visited: number[] = [];
        let url: string | undefined = `${BASE}?per_page=${perPage}&sort=id!asc`;
        while (url !== undefined && visited.length <= total + 1) {
          const read = parsePageParameters(new URL(url).searchParams);
          if (read.violations !== undefined) throw new Error(JSON.stringify(read.violations));
          visited.push(read.page);
          const hasNext = read.page * perPage < total;
          const known = isCounted ? { total } : { hasNext };
          const header = linkHeader({ url, ...read, ...known, after: hasCursor ? `c/${read.page}` : undefined });
          url = readLinks(header).get('next');
        }
        const pages = Math.max(1, Math.ceil(total / perPage));
        expect(visited).toEqual(Array.from({ length: pages }, (_, index) => index + 1));
      }),
    );
  });

  test('following prev from any page ends at page 1 and visits no page twice', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 1000 }),
        (total, perPage, start) => {
          const visited: number[] = [];
          let number = start;
          while (number > 1 && visited.length < 60) {
            number = numbers({ page: number, perPage, total })['prev'] ?? 0;
            visited.push(number);
          }
          expect(number).toBe(1);
          expect(new Set(visited).size).toBe(visited.length);
        },
      ),
    );
  });

  test('every link keeps all other parameters, their order and their meaning', () => {
    fc.assert(
      fc.property(queries, fc.integer({ min: 1, max: 5 }), (pairs, number) => {
        const kept = [...new URLSearchParams(pairs)].filter(([name]) => !isPaging(name));
        // The first query is encoded as a browser does it. In the second one, only the characters that would change its
        // structure are encoded.
        const raw = kept.map(([name, value]) =>
          `${name}=${value}`.replace(/[&#+%=]/g, encodeURIComponent).replace('%3D', '='),
        );
        for (const query of [new URLSearchParams(kept).toString(), raw.join('&')]) {
          const sent = [...new URLSearchParams(query)].filter(([name]) => !isPaging(name));
          for (const target of targets({ url: `${BASE}?${query}`, page: number }).values()) {
            expect([...new URL(target).searchParams].filter(([name]) => !isPaging(name))).toEqual(sent);
          }
        }
      }),
    );
  });

  test('any URL stays inside its link target: the header is visible ASCII and has the expected relations', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (rest) => {
        const header = linkHeader({ ...page, page: 2, url: `${BASE}/${rest}` });
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect([...readLinks(header).keys()]).toEqual(['first', 'prev', 'next', 'last']);
      }),
      { numRuns: 1000 },
    );
  });

  test('a query of ordinary characters keeps every byte', () => {
    const ordinary = fc.stringMatching(/^(?:[A-Za-z0-9\-._~!$'()*,;:@/?=&+[\]]|%[0-9A-Fa-f]{2}){0,30}$/);
    fc.assert(
      fc.property(ordinary, (query) => {
        const names = [...new URLSearchParams(query).keys()];
        fc.pre(query !== '' && !names.some(isPaging));
        expect(targets({ url: `${BASE}?${query}` }).get('first')).toBe(`${BASE}?${query}&page=1`);
      }),
    );
  });
});

test('linkHeader uses the page sizes of the collection', () => {
  const options = { url: 'https://shop.example/orders', page: 1, total: 1, defaultPerPage: 20, maxPerPage: 2_000 };
  const first = (perPage: number) => linkHeader({ ...options, perPage }).split(', ')[0];
  expect(first(20)).toBe('<https://shop.example/orders?page=1>; rel="first"');
  expect(first(2_000)).toBe('<https://shop.example/orders?per_page=2000&page=1>; rel="first"');
  expect(() => first(2_001)).toThrow('perPage: expected an integer from 1 to 2000, found 2001');
});

describe('options of the host', () => {
  test('replace the names of the parameters, and add further links', () => {
    const header = linkHeader({
      url: 'https://shop.example/orders?cursor=old',
      page: 1,
      perPage: 20,
      hasNext: true,
      after: 'new',
      names: { page: 'p', perPage: 'size', after: 'cursor' },
      further: [{ target: '/help', relation: 'help', title: 'Help' }],
    });
    expect(header).toBe(
      '<https://shop.example/orders?size=20&p=1>; rel="first", ' +
        '<https://shop.example/orders?size=20&p=2&cursor=new>; rel="next", </help>; rel="help"; title="Help"',
    );
  });
});
