import { RichTextError, type RichTextErrorCode } from './errors.js';
import { RICH_TEXT_LIMITS } from './limits.js';
import { plainText } from './plain-text.js';
import { sanitise } from './sanitise.js';

/** A rich text in its two forms. */
export interface RichText {
  /** Sanitised HTML. */
  readonly html: string;
  /** The same as a person reads it, without markup. */
  readonly plain: string;
}

/** Where a tag, an end tag or a comment begins. */
const TAG = /<[a-z/!?]/gi;
const LINE_BREAK = /\r\n|\r|\n/g;

/**
 * Reads HTML that anybody may have written.
 * @param given  HTML; a text without any tag keeps its line breaks
 * @throws {RichTextError} when it is, or would become, more than the limits allow
 * Source: CONTRACT.md 4, `rich_txt_fmt`; the limits are those of `RICH_TEXT_LIMITS`.
 */
export function readRichText(given: string): RichText {
  refuseLength('too_long', given, '');
  refuseTags(given, '');
  const html = sanitise(countTags(given) === 0 ? given.replace(LINE_BREAK, '<br />') : given);
  // What is stored can be read and sent again: it keeps to the limits too.
  refuseLength('result_too_long', html, ' once it is well-formed HTML');
  refuseTags(html, ' once it is well-formed HTML');
  const plain = plainText(html);
  refuseLength('result_too_long', plain, ' as plain text');
  return { html, plain };
}

const countTags = (html: string): number => html.match(TAG)?.length ?? 0;

function refuseLength(code: RichTextErrorCode, text: string, when: string): void {
  if (text.length <= RICH_TEXT_LIMITS.length) return;
  const found = [...text].length;
  if (found > RICH_TEXT_LIMITS.length) throw new RichTextError(code, `expected at most ${RICH_TEXT_LIMITS.length} characters${when}, found ${found}`);
}

function refuseTags(html: string, when: string): void {
  const found = countTags(html);
  if (found > RICH_TEXT_LIMITS.tags) throw new RichTextError('too_many_tags', `expected at most ${RICH_TEXT_LIMITS.tags} tags${when}, found ${found}`);
}
