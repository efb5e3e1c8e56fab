import { describe, expect, it } from '@jest/globals';
import { formatLinks, type Link, LinkHeaderError, parseLinkHeader } from './links.js';

describe('parseLinkHeader', () => {
  it('reads all attributes of all links, also several links of one relation', () => {
    const header = [
      '<https://shop.example/orders?page=3>; rel="next"; title="Page 3"; type="application/json"',
      '</de>; rel="alternate"; hreflang="de"; hreflang=at; title*=UTF-8\'de\'%C3%9Cbersicht; title=Overview',
      '</en>; rel=ALTERNATE; hreflang=en; media=print; anchor="/start"; weight=2',
    ].join(', ');
    expect(parseLinkHeader(header)).toEqual([
      {
        target: 'https://shop.example/orders?page=3',
        relation: 'next',
        title: 'Page 3',
        type: 'application/json',
      },
      { target: '/de', relation: 'alternate', hreflang: ['de', 'at'], title: 'Übersicht' },
      {
        target: '/en',
        relation: 'alternate',
        hreflang: ['en'],
        media: 'print',
        anchor: '/start',
        others: { weight: ['2'] },
      },
    ]);
  });

  it('gives one object for each relation of a link', () => {
    expect(parseLinkHeader('</1>; rel="first prev"').map(({ relation }) => relation)).toEqual(['first', 'prev']);
  });

  it('resolves addresses against the address of the answer', () => {
    expect(parseLinkHeader('<?page=2>; rel=next; anchor="#top"', 'https://shop.example/orders?page=1')).toEqual([
      {
        target: 'https://shop.example/orders?page=2',
        relation: 'next',
        anchor: 'https://shop.example/orders?page=1#top',
      },
    ]);
  });

  it.each([undefined, null, '', ' '])('finds no links in %p', (header) => {
    expect(parseLinkHeader(header)).toEqual([]);
  });

  it.each(['next', '<https://shop.example', '<a>; rel=next; title*=x', "<a>; rel=next; title*=UTF-8''%E9"])(
    'throws a LinkHeaderError for %s',
    (header) => {
      expect(() => parseLinkHeader(header)).toThrow(LinkHeaderError);
    },
  );
});

describe('formatLinks', () => {
  it('writes what parseLinkHeader reads', () => {
    const links: readonly Link[] = [
      {
        target: 'https://shop.example/orders?page=3&sort=a,b;c',
        relation: 'next',
        anchor: '#top',
        title: "Seite „3“ ('*')",
        hreflang: ['de', 'at'],
        type: 'text/html',
        media: 'print',
        others: { weight: ['1', '2'] },
      },
      { target: '/1', relation: 'first', title: 'a "quoted" \\ title, with; delimiters' },
    ];
    expect(parseLinkHeader(formatLinks(links))).toEqual(links);
  });

  it.each<Partial<Link>>([
    { target: 'a> ; rel=x' },
    { anchor: 'ü' },
    { title: 'ok', relation: 'a\r\nSet-Cookie: x' },
    { others: { 'a b': ['1'] } },
  ])('refuses %j, which would break the header', (part) => {
    expect(() => formatLinks([{ target: '/', relation: 'next', ...part }])).toThrow(RangeError);
  });
});
