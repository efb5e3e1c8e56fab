import { parseTemplate } from '@ats/mail-merge';
import { readRichText } from '@ats/rich-text';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { type MergeValue } from './merge-values.js';
import { filledMessage, type MessageContent, renderMessage } from './render-message.js';

/** Renders texts without checking or sanitising them first. */
function render(texts: { readonly subject?: string; readonly body?: string }, value: MergeValue): MessageContent {
  const template = {
    subject: parseTemplate(texts.subject ?? ''),
    body: parseTemplate(texts.body ?? ''),
    columns: new Map(),
  };
  const message = renderMessage(template, new Map([['application.source', value]]));
  if ('violation' in message) throw new Error(String(message.violation));
  return message;
}
const htmlOf = (body: string, value: MergeValue): string => render({ body }, value).body.html;

describe('the filled-in body of a message', () => {
  it('contains only allowed HTML, both from the template and from values', () => {
    const rich = { plain: 'x', html: '<b>x</b><img src="x" onerror="alert(1)"><script>alert(1)</script>' };
    expect(htmlOf('<p>{{ application.source }}</p>', rich)).toBe('<p><b>x</b></p>');
    expect(htmlOf('<script>{{ application.source }}</script><p onclick="x">y</p>', rich)).toBe('<p>y</p>');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
  ])('removes a link whose whole URL is an unsafe value: %s', (plain) => {
    for (const quote of ['"', "'"]) {
      expect(htmlOf(`<a href=${quote}{{ application.source }}${quote}>x</a>`, { plain })).toBe(
        '<a rel="noopener noreferrer nofollow">x</a>',
      );
    }
  });

  it('has a plain text version', () => {
    expect(render({ body: '<p>Dear {{ application.source }}</p>' }, { plain: '<b>' }).body).toEqual({
      html: '<p>Dear &lt;b&gt;</p>',
      plain: 'Dear <b>',
    });
  });
});

/** Returns the name of each element and the names of its attributes. Leaves out `br` elements. */
function markupOf(html: string): readonly string[] {
  const below = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): string[] =>
    nodes.flatMap((node) =>
      'tagName' in node
        ? [`${node.tagName} ${node.attrs.map(({ name }) => name).join(' ')}`, ...below(node.childNodes)]
        : [],
    );
  return below(parseFragment(html).childNodes).filter((element) => element !== 'br ');
}

describe('for any placeholder value', () => {
  const pieces = [
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<a href="https://example.com/',
    '">',
    '</a>',
    '<!--',
    '-->',
    '&lt;',
    '<table><tr><td>',
    '<ol start="1">',
    '{{ application.source }}',
    'text',
    '"',
    "'",
    '\n',
    '<br>',
  ];
  const body = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</p></td><b>',
      '<!--',
      '--><b>',
      '&lt;b&gt;',
      'x\r\ny',
      '{{ application.id }}',
    ),
  );

  it('the body has exactly the elements of its template', () => {
    fc.assert(
      fc.property(body, value, (text, plain) => {
        const { html } = readRichText(text);
        expect(markupOf(htmlOf(html, { plain }))).toEqual(markupOf(htmlOf(html, { plain: 'x' })));
      }),
    );
  });
});

describe('the filled-in subject of a message', () => {
  it('is one line of plain text, also for values with rich text', () => {
    expect(
      render({ subject: 'a {{ application.source }} b' }, { plain: 'x\r\nBcc: y\u0085z', html: '<b>x</b>' }).subject,
    ).toBe('a x Bcc: y z b');
  });
});

describe('a message that is too long after values are filled in', () => {
  const template = (subject: string, body: string) => ({
    subject: parseTemplate(subject),
    body: parseTemplate(body),
    columns: new Map(),
  });
  const values = (plain: string) => new Map([['application.source', { plain }]]);

  it.each([
    [
      'subject',
      '{{ application.source }}',
      '',
      998,
      'the filled-in subject: expected at most 998 characters, found 999',
    ],
    [
      'body',
      '',
      '{{ application.source }}',
      100_000,
      'the filled-in body: expected at most 100000 characters, found 100001',
    ],
  ])('is rejected one character above the limit of the %s', (property, subject, body, limit, violation) => {
    expect(renderMessage(template(subject, body), values('😀'.repeat(limit)))).not.toHaveProperty('violation');
    const refused = renderMessage(template(subject, body), values('x'.repeat(limit + 1)));
    expect({ ...refused, violation: 'violation' in refused && String(refused.violation) }).toEqual({
      property,
      violation,
    });
  });
});

describe('a message that is empty after values are filled in', () => {
  const message = (subject: string, plain: string): MessageContent => ({ subject, body: { html: plain, plain } });

  it.each([
    ['email', ' ', 'x', 'subject'],
    ['email', 'x', '\n', 'body'],
    ['sms', '', 'x', undefined],
    ['note', '', ' ', 'body'],
  ] as const)('is rejected if its type needs the empty text: %s %j %j', (type, subject, plain, property) => {
    const given = message(subject, plain);
    const filled = filledMessage(given, type);
    const violation = 'violation' in filled ? { ...filled, violation: String(filled.violation) } : filled;
    expect(violation).toEqual(
      property === undefined
        ? given
        : { property, violation: `the filled-in ${property}: expected a text that is not empty` },
    );
  });
});
