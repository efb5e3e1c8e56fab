// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RichTextError } from './errors.js';
import { RICH_TEXT_LIMITS } from './limits.js';
import { plainTextWithLinks } from './plain-text.js';
import { readRichText } from './rich-text.js';
import { textToHtml } from './text-to-html.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

function refusal(given: string): readonly [code: string, message: string] | undefined {
  try {
    readRichText(given);
    return undefined;
  } catch (error) {
    if (error instanceof RichTextError) return [error.code, error.message];
    throw error;
  }
}

describe('the limits of a rich text', () => {
  const { length, tags, depth } = RICH_TEXT_LIMITS;

  test('can be set by the caller', () => {
    expect(() => readRichText('four', { length: 3 })).toThrow('expected at most 3 characters, found 4');
    expect(() => readRichText('<b>x</b>', { tags: 1 })).toThrow('expected at most 1 tags, found 2');
    expect(readRichText('x'.repeat(length + 1), { length: length + 1 }).plain).toHaveLength(length + 1);
  });

  test('are 100,000 characters, and not one more', () => {
    expect(readRichText('x'.repeat(length))).toEqual({ html: 'x'.repeat(length), plain: 'x'.repeat(length) });
    expect(refusal('x'.repeat(length + 1))).toEqual(['too_long', 'expected at most 100000 characters, found 100001']);
  });

  test('count a character once, however it is encoded', () => {
    expect(refusal('😀'.repeat(length))).toBeUndefined();
    expect(refusal('😀'.repeat(length + 1))).toEqual(['too_long', 'expected at most 100000 characters, found 100001']);
  });

  test('reject a text whose well-formed HTML is too long', () => {
    expect(readRichText('&'.repeat(length / 5)).html).toHaveLength(length);
    expect(refusal('&'.repeat(length / 5 + 1))).toEqual([
      'result_too_long',
      'expected at most 100000 characters as well-formed HTML, found 100005',
    ]);
  });

  test('reject a text whose plain text is too long', () => {
    const quoted = (lines: number) => `${'<blockquote>'.repeat(40)}${'a<br>'.repeat(lines)}`;
    expect(refusal(quoted(1000))).toBeUndefined();
    expect(refusal(quoted(2000))).toEqual([
      'result_too_long',
      expect.stringMatching(/^expected at most 100000 characters as plain text, found \d+$/),
    ]);
  });

  test.each(['<b>', '</b>', '<!---->', '<br>', '<x>', '</x>'])(
    'are 10,000 tags such as %s, and not one more',
    (tag) => {
      expect(refusal(tag.repeat(tags))).toBeUndefined();
      expect(refusal(tag.repeat(tags + 1))).toEqual(['too_many_tags', 'expected at most 10000 tags, found 10001']);
    },
  );

  test('hold for the stored HTML, too, so that it can be sent again', () => {
    const items = '<li>a'.repeat(tags / 2);
    const { html } = readRichText(items);
    expect(html).toBe('<li>a</li>'.repeat(tags / 2));
    expect(readRichText(html).html).toBe(html);
    expect(refusal(`${items}<li>`)).toEqual([
      'too_many_tags',
      'expected at most 10000 tags as well-formed HTML, found 10002',
    ]);
  });

  test.each([
    '<b>',
    '<div>',
    '<ul><li>',
    '<table><tr><td>',
    '<blockquote>',
    '<x>',
    '<p><b>',
    '<a href="https://a.example">',
  ])('are a depth of 50 for nested %s, whose text is kept', (tag) => {
    const { html, plain } = readRichText(`${tag.repeat(1000)}text`);
    expect(deepest(html)).toBeLessThanOrEqual(depth);
    expect(plain.endsWith('text')).toBe(true);
    expect(readRichText(html).html).toBe(html);
  });
});

/** Returns the largest number of elements that are open at the same time. */
function deepest(html: string): number {
  let [open, most] = [0, 0];
  for (const [tag] of html.matchAll(/<\/?[a-z]\w*[^>]*>/g)) {
    if (tag.endsWith('/>')) continue;
    open += tag.startsWith('</') ? -1 : 1;
    most = Math.max(most, open);
  }
  return most;
}

describe('the plain text', () => {
  test.each([
    ['<b>Sen</b>ior <i>engineer</i>', 'Senior engineer'],
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['<div>One</div><div>Two</div>', 'One\nTwo'],
    ['One<br>Two<br><br>Three', 'One\nTwo\n\nThree'],
    ['<h1>Title</h1>\n\n  <p>Of\n a   text</p>', 'Title\n\nOf a text'],
    ['<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>', ' * a\n * b\n   * c'],
    ['<ol start="3"><li>a</li><li>b</li></ol>', ' 3. a\n 4. b'],
    [
      '<table><caption>c</caption><thead><tr><th>A</th> <th>B</th></tr></thead><tbody>\n<tr>\n<td>1</td>\n<td><b>2</b></td>\n</tr></tbody></table>',
      'c\nA\tB\n1\t2',
    ],
    ['<table><tr>a<td>b</td></tr></table>', 'a\tb'],
    ['<dl><dt>a</dt><dd>b</dd></dl>', 'a\nb'],
    ['<pre>  a\n b</pre>', '  a\n b'],
    ['<blockquote>a</blockquote>b', '> a\n\nb'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    ['Apply <a href="https://a.example">here</a>', 'Apply here'],
    ['a&nbsp;b &amp; &lt;c&gt;', 'a b & <c>'],
    ['a<script>b</script><style>c</style><img alt="d">', 'a'],
    ['', ''],
  ])('of %j is %j', (given, plain) => {
    expect(readRichText(given).plain).toBe(plain);
  });
});

describe('the plain text with links', () => {
  test.each([
    [
      'See <a href="https://a.example/x?y=1&amp;z=2">the <b>form</b></a>.',
      'See the form <https://a.example/x?y=1&z=2>.',
    ],
    ['<p><a href="https://a.example">https://a.example</a></p>', 'https://a.example'],
    ['<a href="https://a.example"></a>', 'https://a.example'],
    ['Write to <a href="mailto:jobs@a.example">us</a>', 'Write to us <jobs@a.example>'],
    ['<a href="javascript:alert(1)">x</a> and <a>y</a>', 'x and y'],
    [
      '<ul><li><a href="https://a.example">one</a></li></ul><p>R&amp;D&nbsp;x</p>',
      ' * one <https://a.example>\n\nR&D x',
    ],
  ])('of %j is %j', (html, plain) => {
    expect(plainTextWithLinks(readRichText(html).html)).toBe(plain);
  });
});

describe('line breaks', () => {
  test.each([
    ['One\nTwo\r\n\r\nThree', 'One<br />Two<br /><br />Three', 'One\nTwo\n\nThree'],
    ['1 < 2\n3 > 2 & so on', '1 &lt; 2<br />3 &gt; 2 &amp; so on', '1 < 2\n3 > 2 & so on'],
    ['R&amp;D', 'R&amp;D', 'R&D'],
  ])('are kept in a text without tags: %j', (given, html, plain) => {
    expect(readRichText(given)).toEqual({ html, plain });
  });

  test('are treated as spaces in a text with a tag', () => {
    expect(readRichText('<b>One</b>\nTwo').plain).toBe('One Two');
  });
});

test('the plain text of an escaped text is the text itself', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 10 }),
        fc.constantFrom(' ', '  ', '\n', '<', '>', '&', '&amp;', '<b>', '</b>', '<!--', '"', "'"),
      ),
    )
    .map((pieces) => pieces.join('').replaceAll('\u00a0', ' '));
  fc.assert(
    fc.property(text, (given) => {
      const html = textToHtml(given);
      const read = readRichText(html);
      expect(read.plain).toBe(given);
      expect(read.html).toBe(html);
    }),
    { numRuns: runs(1_000) },
  );
});
