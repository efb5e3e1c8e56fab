import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { type RequestOptions } from './api-harness.js';

export const HTML = 'rich_txt_fmt=html';

/** Those in which the parameter makes HTML of all values of layouts and forms; without a header it is 1.7. */
export const BELOW = [undefined, '1.2', '1.7', '1.8'] as const;
export type Version = (typeof BELOW)[number] | '1.9';

export const at = (version: Version): RequestOptions => ({
  headers: version === undefined ? {} : { 'api-version': version },
});

/** A text that would be more than a text if it were shown as it is, and its HTML. */
export const HOSTILE = `<script>alert("1")</script> &amp; 'x' <!-- مرحبا 😀\n\ttwo\r\nthree`;
export const ESCAPED =
  '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;amp; &#39;x&#39; &lt;!-- مرحبا 😀\n\ttwo\r\nthree';

export const RICH = '<p>R&amp;D <b>now</b></p>';
export const RICH_PLAIN = 'R&D now';

type Node = DefaultTreeAdapterTypes.Node;

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** What a browser shows of each text, which must be HTML without elements; what is no text is a fault too. */
export function readHtml(html: unknown): unknown {
  if (html === null) return null;
  if (Array.isArray(html)) return html.map(readHtml);
  if (typeof html !== 'string') throw new Error(`expected a text, found ${JSON.stringify(html)}`);
  const fragment = parseFragment(html);
  const stranger = fragment.childNodes.find(({ nodeName }) => nodeName !== '#text');
  if (stranger) throw new Error(`expected text alone, found ${stranger.nodeName} in ${html}`);
  return textOf(fragment);
}

/** Values as texts, without markup. */
export function asTexts(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map(asTexts);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The same as a browser reads them: it knows one kind of line break. */
export function asRead(value: unknown): unknown {
  const texts = asTexts(value);
  return typeof texts === 'string'
    ? texts.replaceAll(/\r\n?/g, '\n')
    : Array.isArray(texts)
      ? texts.map(asRead)
      : texts;
}
