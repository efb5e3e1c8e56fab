import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { ALLOWED, LINK_REL } from '../src/lib/elements.js';

type Node = DefaultTreeAdapterMap['childNode'];

const HTML = 'http://www.w3.org/1999/xhtml';

/** What is in a text, read as a browser reads it, that should not be: empty for a clean one. */
export function strangersIn(html: string): readonly string[] {
  return parseFragment(html).childNodes.flatMap(strangersOf);
}

function strangersOf(node: Node): readonly string[] {
  if (node.nodeName === '#text') return [];
  if (!('tagName' in node)) return [node.nodeName];
  const { tagName, namespaceURI, attrs, childNodes } = node;
  const rules = ALLOWED[tagName];
  if (!rules || String(namespaceURI) !== HTML) return [`${tagName} of ${namespaceURI}`];
  const strange = attrs.filter(({ name, value }) => !(tagName === 'a' && name === 'rel' && value === LINK_REL) && !rules[name]?.test(value));
  const isUnmarked = tagName === 'a' && !attrs.some(({ name }) => name === 'rel');
  return [...strange.map(({ name, value }) => `${tagName} ${name}="${value}"`), ...(isUnmarked ? ['a without rel'] : []), ...childNodes.flatMap(strangersOf)];
}
