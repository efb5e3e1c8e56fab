import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];

const HTML = 'http://www.w3.org/1999/xhtml';
/** The allowed elements. The list does not use the library, because the tests check it. */
const ELEMENTS = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd b strong i em u s sub sup small mark code a table caption thead tbody tfoot tr th td'.split(
    ' ',
  ),
);
const isNumber = (value: string): boolean => /^\d{1,5}$/.test(value);
const ATTRIBUTES: Readonly<Record<string, (value: string) => boolean>> = {
  // `URL` reads the protocol as a browser does. A regular expression reads the protocol of a link that `URL` cannot
  // parse.
  'a href': (value) =>
    ['http:', 'https:', 'mailto:'].includes(
      URL.canParse(value) ? new URL(value).protocol : (/^\w+:/.exec(value)?.[0] ?? ''),
    ),
  'a rel': (value) => value === 'noopener noreferrer nofollow',
  'ol start': isNumber,
  'td colspan': isNumber,
  'td rowspan': isNumber,
  'th colspan': isNumber,
  'th rowspan': isNumber,
};

/** Lists the forbidden elements and attributes that a browser finds in a text. The list is empty for a clean text. */
export function strangersIn(html: string): readonly string[] {
  return parseFragment(html).childNodes.flatMap(strangersOf);
}

function strangersOf(node: Node): readonly string[] {
  if (node.nodeName === '#text') return [];
  if (!('tagName' in node)) return [node.nodeName];
  const { tagName, namespaceURI, attrs, childNodes } = node;
  if (!ELEMENTS.has(tagName) || String(namespaceURI) !== HTML) return [`${tagName} of ${namespaceURI}`];
  const strange = attrs.filter(({ name, value }) => ATTRIBUTES[`${tagName} ${name}`]?.(value) !== true);
  const isUnmarked = tagName === 'a' && !attrs.some(({ name }) => name === 'rel');
  return [
    ...strange.map(({ name, value }) => `${tagName} ${name}="${value}"`),
    ...(isUnmarked ? ['a without rel'] : []),
    ...childNodes.flatMap(strangersOf),
  ];
}
