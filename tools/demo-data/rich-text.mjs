// @ts-check
import { readRichText } from '@ats/rich-text';

/**
 * Returns the columns of a rich text: the stored HTML and its plain text.
 * @param {string | null} html
 * @returns {[html: string | null, plain: string | null]}
 */
export function richText(html) {
  if (html === null) return [null, null];
  const text = readRichText(html);
  return [text.html, text.plain];
}
