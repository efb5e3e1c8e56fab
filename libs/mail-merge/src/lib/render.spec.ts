import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { htmlText, oneLine, urlPart } from './escape.js';
import { renderTemplate } from './render.js';
import { parseTemplate } from './template.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<script>', '"', "'", '&lt;', '\r\n', '<', '>', '{{ application.id }}'),
);

const render = (text: string, value: string, escape: (value: string) => string): string =>
  renderTemplate(parseTemplate(text), new Map([['application.source', value]]), escape);

describe('renderTemplate', () => {
  it('inserts values, and an empty text for missing values', () => {
    const template = parseTemplate('Dear {{ application.user.firstname }} {{ application.user.lastname }}!');
    expect(renderTemplate(template, new Map([['application.user.firstname', 'Zoë']]), oneLine)).toBe('Dear Zoë !');
  });

  it('does not parse inserted values as templates', () => {
    expect(render('{{ application.source }}', '{{ application.id }}', oneLine)).toBe('{{ application.id }}');
  });

  it('tells the escape function whether the value is inside an HTML tag', () => {
    const places: boolean[] = [];
    const template = parseTemplate('<a href="https://example.com/{{ application.id }}">{{ application.id }}</a>');
    renderTemplate(template, new Map([['application.id', '7']]), (value, { isInTag }) => {
      places.push(isInTag);
      return value;
    });
    expect(places).toEqual([true, false]);
  });

  it('does not change literal text', () => {
    const literal = fc.string({ unit: 'binary' }).filter((text) => !text.includes('{{'));
    fc.assert(fc.property(literal, (text) => expect(render(text, 'x', htmlText)).toBe(text)));
  });

  it('puts a value where its placeholder was and nowhere else', () => {
    const literal = fc.string({ unit: 'binary' }).filter((text) => !/[{}\\]/.test(text));
    fc.assert(
      fc.property(literal, anyText, literal, (before, value, after) =>
        expect(render(`${before}{{ application.source }}${after}`, value, (text) => text)).toBe(
          `${before}${value}${after}`,
        ),
      ),
    );
  });
});

describe('a value that fills in a placeholder', () => {
  it('adds no markup to HTML except line breaks', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const { childNodes } = parseFragment(render('{{ application.source }}', value, htmlText));
        expect(childNodes.filter(({ nodeName }) => nodeName !== '#text' && nodeName !== 'br')).toEqual([]);
      }),
    );
  });

  it('is escaped so that HTML shows it unchanged', () => {
    expect(htmlText(`<b>"O'Hara" & Co</b>\r\n&lt;`)).toBe(
      '&lt;b&gt;&quot;O&#39;Hara&quot; &amp; Co&lt;/b&gt;<br />&amp;lt;',
    );
  });

  it('stays within the attribute and the part of the URL in which it is inserted', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(urlPart(value)).toMatch(/^[\w.~!*()%-]*$/);
        const [link] = parseFragment(
          render('<a href="https://example.com/{{ application.source }}">x</a>', value, urlPart),
        ).childNodes;
        expect(link).toMatchObject({
          tagName: 'a',
          attrs: [{ name: 'href', value: `https://example.com/${urlPart(value)}` }],
        });
      }),
    );
    expect(urlPart('a b/c&d=é')).toBe('a%20b%2Fc%26d%3D%C3%A9');
  });

  it('stays on one line in a header', () => {
    fc.assert(fc.property(anyText, (value) => expect(oneLine(value)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)));
    expect(oneLine('Hello\r\nBcc: all@example.com\u2028\tx')).toBe('Hello Bcc: all@example.com x');
  });
});
