import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { type RequestOptions } from '../support/api-harness.js';

export const HTML = 'rich_txt_fmt=html';

/**
 * The versions in which `rich_txt_fmt=html` turns all values of layouts and forms into HTML. With `undefined`, no
 * `Api-Version` header is sent, which means 1.7.
 */
export const BELOW = [undefined, '1.2', '1.7', '1.8'] as const;
export type Version = (typeof BELOW)[number] | '1.9';

export const at = (version: Version): RequestOptions => ({
  headers: version === undefined ? {} : { 'api-version': version },
});

/** A text with characters that are markup in HTML. `ESCAPED` is the same text as HTML. */
export const HOSTILE = `<script>alert("1")</script> &amp; 'x' <!-- مرحبا 😀\n\ttwo\r\nthree`;
export const ESCAPED =
  '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;amp; &#39;x&#39; &lt;!-- مرحبا 😀\n\ttwo\r\nthree';

export const RICH = '<p>R&amp;D <b>now</b></p>';
export const RICH_PLAIN = 'R&D now';

type Node = DefaultTreeAdapterTypes.Node;

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/**
 * Returns the text that a browser shows, for each HTML text.
 * @throws when a value is not a text, or contains an element or a comment
 */
export function readHtml(html: unknown): unknown {
  if (html === null) return null;
  if (Array.isArray(html)) return html.map(readHtml);
  if (typeof html !== 'string') throw new Error(`expected a text of HTML, found ${JSON.stringify(html)}`);
  const fragment = parseFragment(html);
  const stranger = fragment.childNodes.find(({ nodeName }) => nodeName !== '#text');
  if (stranger) throw new Error(`expected only text inside an element, found ${stranger.nodeName} in ${html}`);
  return textOf(fragment);
}

/** Converts values that are not texts to JSON. */
export function asTexts(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map(asTexts);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Converts values to texts with the line breaks of a browser, which reads CR and CRLF as LF. */
export function asRead(value: unknown): unknown {
  const texts = asTexts(value);
  return typeof texts === 'string'
    ? texts.replaceAll(/\r\n?/g, '\n')
    : Array.isArray(texts)
      ? texts.map(asRead)
      : texts;
}
