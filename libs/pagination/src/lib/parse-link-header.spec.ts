import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { LinkHeaderSyntaxError, parseLinkHeader } from './parse-link-header.js';

describe('parseLinkHeader', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['<a>; rel="next"', { next: 'a' }],
    ['<a>; rel=next', { next: 'a' }],
    ['<a>; REL="NEXT"', { next: 'a' }],
    ['<a>;rel=next,<b>;rel=prev', { next: 'a', prev: 'b' }],
    [' \t<a> ; rel = "next" , , <b>; rel="last" ,', { next: 'a', last: 'b' }],
    ['<a>; rel="first  last"', { first: 'a', last: 'a' }],
    ['<a>; rel="next"; rel="prev"', { next: 'a' }],
    ['<a>; rel="next", <b>; rel="next"', { next: 'a' }],
    ['<a>; title="x, <b>; rel=\\"prev\\""; rel="next"', { next: 'a' }],
    ['<a>; rel="ne\\xt"', { next: 'a' }],
    ['<a>; title; rel="next";', { next: 'a' }],
    ['<a>;;; ;rel=next;;', { next: 'a' }],
    ["<a>; title*=UTF-8'de'n%c3%a4chstes; rel=next", { next: 'a' }],
    ['<a,b;c>; rel="next"', { next: 'a,b;c' }],
    ['<>; rel="next"', { next: '' }],
    ['<a>', {}],
    ['<a>; rel=""', {}],
    ['<a>; rel="__proto__"', JSON.parse('{"__proto__":"a"}') as Record<string, string>],
  ])('reads %s', (header, expected) => {
    expect([...parseLinkHeader(header)]).toEqual(Object.entries(expected));
  });

  test.each([
    ['a', 0],
    ['<a', 0],
    ['<a<b>', 0],
    ['<a>; rel="next" <b>', 15],
    ['<a>; rel="next"; =x', 15],
    ['<a>; rel="next', 8],
    ['<a>; rel=', 8],
    ['<a>; rel="next", b', 17],
    ['<a> rel="next"', 3],
  ])('rejects %s at %d', (header, position) => {
    expect(() => parseLinkHeader(header)).toThrow(LinkHeaderSyntaxError);
    expect(() => parseLinkHeader(header)).toThrow(expect.objectContaining({ code: 'link_header_syntax', position }));
  });

  test('reads or rejects any text, and ends', () => {
    const texts = fc
      .array(fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', ' ', '\t', 'rel', 'a', '<a>; rel="next"'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (header) => {
        try {
          parseLinkHeader(header);
        } catch (error) {
          expect(error).toBeInstanceOf(LinkHeaderSyntaxError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '<'.repeat(50_000),
    `<a>${' '.repeat(50_000)}x`,
    `<a>${'; '.repeat(50_000)}x`,
    `<a>; a="${'\\'.repeat(50_000)}`,
    ', '.repeat(50_000),
  ])('takes time in proportion to the length of hostile text (%#)', (header) => {
    const start = performance.now();
    try {
      parseLinkHeader(header);
    } catch (error) {
      expect(error).toBeInstanceOf(LinkHeaderSyntaxError);
    }
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
