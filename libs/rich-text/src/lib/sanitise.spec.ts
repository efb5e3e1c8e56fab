// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { strangersIn } from '../../test/strangers.js';
import { sanitise } from './sanitise.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const REL = 'rel="noopener noreferrer nofollow"';

describe('sanitise keeps unchanged', () => {
  test.each([
    '<p>One</p><p>Two<br />lines</p>',
    '<h1>Title</h1><h3>Part</h3><h6>Small</h6>',
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li></ol>',
    '<b>b</b><strong>s</strong><i>i</i><em>e</em><u>u</u><s>s</s><sub>1</sub><sup>2</sup>',
    `<a href="https://example.com/?a=1&amp;b=2#c" ${REL}>link</a><a href="mailto:jobs@example.com" ${REL}>mail</a>`,
    '<table><caption>c</caption><thead><tr><th colspan="2">h</th></tr></thead><tbody><tr><td>1</td><td rowspan="2">2</td></tr></tbody></table>',
    '<blockquote>q</blockquote><pre>  x\n y</pre><code>z</code><hr /><dl><dt>t</dt><dd>d</dd></dl><div>e</div>',
    'Grüße, 漢字 &amp; 😀 &lt;3',
  ])('%s', (html) => {
    expect(sanitise(html)).toBe(html);
  });
});

describe('sanitise', () => {
  test.each([
    [
      'sets rel on a link and removes its target',
      '<a href="http://a.example" target="_blank" rel="opener">x</a>',
      `<a href="http://a.example" ${REL}>x</a>`,
    ],
    [
      'removes space around an address',
      '<a href=" https://a.example ">x</a>',
      `<a href="https://a.example" ${REL}>x</a>`,
    ],
    [
      'turns other blocks into div, so that their texts stay apart',
      '<section>a</section><article>b</article>',
      '<div>a</div><div>b</div>',
    ],
    [
      'removes other elements and keeps their text',
      '<font color=red>a</font><span style="x:y">b</span><o:p>c</o:p><blink>d</blink>',
      'abcd',
    ],
    [
      'removes style, class, id and data attributes',
      '<p style="color:red" class="c" id="i" data-x="y" lang="de" title="t">a</p>',
      '<p>a</p>',
    ],
    ['removes pictures', 'a<img src="https://a.example/pixel.gif" alt="b">c', 'ac'],
    ['removes comments', 'a<!-- b --><!--[if mso]>c<![endif]-->d', 'ad'],
    ['replaces entities by their characters', '&eacute;&#233;&nbsp;&hellip;', 'éé\u00a0…'],
    ['closes open elements', '<ul><li><b>a', '<ul><li><b>a</b></li></ul>'],
    ['removes end tags without a start tag', 'a</b></ul></x>b', 'ab'],
    [
      'ends a list item where the next begins, even across a removed element',
      '<ul><li>a<font><li>b</ul>',
      '<ul><li>a</li><li>b</li></ul>',
    ],
    [
      'removes numbers of cells and lists that are not numbers in range',
      '<ol start="1;x"><li>a</li></ol><td colspan="-1" rowspan="1000">',
      '<ol><li>a</li></ol><td></td>',
    ],
    [
      'removes elements with text that a browser does not show as content',
      '<title>a</title><textarea>b</textarea><select><option>c</option></select><noscript>d</noscript><template>e</template>f',
      'f',
    ],
  ])('%s', (_, given, expected) => {
    expect(sanitise(given)).toBe(expected);
  });
});

/** Attempts to get active content past the sanitiser. Most of them are known attacks. */
const ATTEMPTS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script\t>',
  '<<script>alert(1);//<</script>',
  '<script>a<!--</script>--><script>alert(1)</script>',
  '</p><script>alert(1)',
  '<script\0>alert(1)</script>',
  '<scr\0ipt>alert(1)</scr\0ipt>',
  '<p onclick=alert(1)>x</p>',
  '<b onmouseover="alert(1)">x</b>',
  '<p/onclick=alert(1)>x',
  '<p x="\'>" onclick=alert(1)>',
  '<b \n onfocus\n=\nalert(1) autofocus tabindex=1>',
  '<p "onclick=alert(1)">',
  '<details open ontoggle=alert(1)>x',
  '<marquee onstart=alert(1)>x',
  '<body onload=alert(1)>',
  '<img src=x onerror=alert(1)>',
  '<img src=x:x onerror=alert`1`//',
  '<img """><script>alert(1)</script>">',
  '<video><source onerror="alert(1)">',
  '<audio src=x onerror=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<div style="width:expression(alert(1))">x</div>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A;avascript&colon;alert(1)">x</a>',
  '<a href="&#0000106avascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert&lpar;1&rpar;">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://a.example/1">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<a href="https://a.example" href="javascript:alert(1)">x</a>',
  '<a href="javascript:alert(1)" href="https://a.example">x</a>',
  '<a href=\'https://a.example" onclick="alert(1)\'>x</a>',
  '<a href=https://a.example/`onclick=alert(1)`>x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe><img src=x onerror=alert(1)></iframe>',
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea/><img src=x onerror=alert(1)>',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<xmp><script>alert(1)</script>',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<noframes><p title="</noframes><img src onerror=alert(1)>">',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<select><style></select><img src=x onerror=alert(1)>',
  '<table><td background="javascript:alert(1)">x',
  '<button formaction="javascript:alert(1)">x',
  '<form action="javascript:alert(1)"><input type=submit>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--!><img src=x onerror=alert(1)>',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<!DOCTYPE x [<!ENTITY y "z">]>&y;',
  '<%<img src=x onerror=alert(1)>%>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;',
  '\u2028<img\u2028src=x onerror=alert(1)>',
  '<img src=x onerror=alert(1)\0>',
  '<p title="a`b" onclick=alert(1)//">',
  '<a href="https://a.example/"onclick="alert(1)">x</a>',
  '<\u017fcript>alert(1)</\u017fcript>',
  '<a is="x-y" __proto__="z" constructor="w">x</a>',
  '<constructor>x</constructor><__proto__>y</__proto__><toString>z</toString>',
  '<p><li><td><tr><p></table>',
  '<b><p></b></p><a><b></a></b>',
  '<td><p</p><td>',
  '<p><center>x</p>',
  '<li><span><li><table><li>',
] as const;

describe('sanitise removes active content', () => {
  test.each(ATTEMPTS)('%j', (attempt) => {
    for (const given of [
      attempt,
      `<p>${attempt}</p>`,
      `<table><tr><td>${attempt}`,
      `<a href="https://a.example">${attempt}`,
      `<pre>${attempt}</pre>`,
    ]) {
      const html = sanitise(given);
      expect([given, strangersIn(html)]).toEqual([given, []]);
      expect(sanitise(html)).toBe(html);
    }
  });

  test('is tested with a helper that finds active content', () => {
    expect(strangersIn('<p><script>1</script></p>')).toHaveLength(1);
    expect(
      strangersIn(
        '<p onclick="x">y</p><a href="javascript:x" rel="noopener noreferrer nofollow">z</a><a>w</a><!--v-->',
      ),
    ).toHaveLength(4);
    expect(strangersIn('<svg><p>x</p></svg>')).toHaveLength(1);
  });
});

const NAMES =
  'p div br hr h1 ul ol li b i a table caption tbody tr td th blockquote pre code dl dt section span script style svg math title textarea xmp noscript iframe template select option x- img'.split(
    ' ',
  );
const VALUES = [
  'https://a.example/?b&c',
  'javascript:1',
  '2',
  '"',
  "'",
  '<',
  '>',
  '&quot;',
  '&#106;avascript:1',
  '\0',
  ' ',
  'é',
];
const name = fc.constantFrom(...NAMES);
const attribute = fc
  .tuple(
    fc.constantFrom('href', 'onclick', 'style', 'start', 'colspan', 'rel', 'title', '"', '/', '='),
    fc.constantFrom('=', '="', "='", ' '),
    fc.constantFrom(...VALUES),
    fc.constantFrom('"', "'", '', ' '),
  )
  .map((parts) => parts.join(''));
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(name, fc.array(attribute, { maxLength: 2 }), fc.constantFrom('>', '>', ' />', '', '<'))
      .map(([tag, attributes, end]) => `<${[tag, ...attributes].join(' ')}${end}`),
  },
  { weight: 3, arbitrary: name.map((tag) => `</${tag}>`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a',
      ' b ',
      '\n',
      '&amp;',
      '&lt;b&gt;',
      '&nbsp;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<',
      '>',
      '&',
      '\0',
      '</',
      '&#0;',
      '&#xd800;',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const markup = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('for any text, after sanitising', () => {
  test('a browser finds only allowed elements and attributes', () => {
    fc.assert(
      fc.property(markup, (given) => expect(strangersIn(sanitise(given))).toEqual([])),
      { numRuns: runs(1_000) },
    );
  });

  test('sanitising it again changes nothing', () => {
    fc.assert(
      fc.property(markup, (given) => {
        const html = sanitise(given);
        expect(sanitise(html)).toBe(html);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
