import { type Message, message } from '@ats/message';
import { RichTextError, type RichTextErrorCode } from './errors.js';
import { RICH_TEXT_LIMITS, type RichTextLimits } from './limits.js';
import { plainText } from './plain-text.js';
import { sanitise } from './sanitise.js';

/** A rich text as HTML and as plain text. */
export interface RichText {
  /** Sanitised HTML. */
  readonly html: string;
  /** The plain text of the HTML. */
  readonly plain: string;
}

/** Matches the first characters of a start tag, an end tag or a comment. */
const TAG = /<[a-z/!?]/gi;
const LINE_BREAK = /\r\n|\r|\n/g;

/**
 * Reads untrusted HTML.
 * @param given  HTML; a text without any tag keeps its line breaks
 * @param limits  limits that differ from `RICH_TEXT_LIMITS`
 * @throws {RichTextError} when the text, its sanitised HTML or its plain text exceeds a limit
 * Source: docs/reference/rich-text.md; the limits are in `RICH_TEXT_LIMITS`.
 */
export function readRichText(given: string, limits: Partial<RichTextLimits> = {}): RichText {
  const { length, tags } = { ...RICH_TEXT_LIMITS, ...limits };
  refuseLength(
    given,
    length,
    'too_long',
    (most, found) => message`expected at most ${most} characters, found ${found}`,
  );
  refuseTags(given, tags, (most, found) => message`expected at most ${most} tags, found ${found}`);
  const html = sanitise(countTags(given) === 0 ? given.replace(LINE_BREAK, '<br />') : given);
  // Clients read the stored HTML and send it again. So the stored HTML must be within the limits, too.
  refuseLength(
    html,
    length,
    'result_too_long',
    (most, found) => message`expected at most ${most} characters as well-formed HTML, found ${found}`,
  );
  refuseTags(html, tags, (most, found) => message`expected at most ${most} tags as well-formed HTML, found ${found}`);
  const plain = plainText(html);
  refuseLength(
    plain,
    length,
    'result_too_long',
    (most, found) => message`expected at most ${most} characters as plain text, found ${found}`,
  );
  return { html, plain };
}

const countTags = (html: string): number => html.match(TAG)?.length ?? 0;

type Info = (most: number, found: number) => Message;

function refuseLength(text: string, most: number, code: RichTextErrorCode, info: Info): void {
  if (text.length <= most) return;
  const found = [...text].length;
  if (found > most) throw new RichTextError(code, info(most, found));
}

function refuseTags(html: string, most: number, info: Info): void {
  const found = countTags(html);
  if (found > most) throw new RichTextError('too_many_tags', info(most, found));
}
