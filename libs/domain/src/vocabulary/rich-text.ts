import { type Message, message } from '@ats/message';
import { readRichText, RICH_TEXT_ELEMENTS, RichTextError } from '@ats/rich-text';
import { type SqlSettings } from '@ats/search-query';

/**
 * The format in which rich texts are read: as HTML, or as HTML and plain text (`both`). With `html_scalars`, the other
 * values of layouts and forms are HTML, too. Without a format, rich texts are read as plain text.
 */
export type RichTextForm = 'html' | 'html_scalars' | 'both';

/** The stored columns of a rich text. */
export interface RichTextColumns {
  readonly html: string;
  readonly plain: string;
}

/** Description of a rich text for integrators, in schemas and the API reference. */
export const RICH_TEXT_NOTE = [
  'Rich text. It is read as plain text, or as HTML with `rich_txt_fmt=html`. HTML keeps the elements',
  `\`${RICH_TEXT_ELEMENTS.join(' ')}\`.`,
  'Links may use `http`, `https` or `mailto`. A text without tags keeps its line breaks.',
  'A value that is sent back as it was read does not change.',
].join(' ');

/**
 * Checks a rich text that a client sends. The caller checks its length.
 * @param isFilled  true when the text must not be empty after it is sanitised
 * @returns the violation, or undefined when the text is valid
 */
export function richTextViolation(
  text: string,
  { isFilled }: { readonly isFilled: boolean } = { isFilled: false },
): Message | undefined {
  try {
    const { plain } = readRichText(text);
    return isFilled && plain.trim() === '' ? message`expected a text that is not empty` : undefined;
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return error.code === 'too_long' ? undefined : error.violation.message;
  }
}

/**
 * SQL that reads a rich text from the row with the given alias. Conditions, sort orders and snapshots read plain text,
 * because the settings of their statements have no `richText`. Source: docs/reference/rich-text.md.
 */
export function richTextSql(alias: string, columns: RichTextColumns, { richText }: SqlSettings): string {
  const [html, plain] = [`${alias}.${columns.html}`, `${alias}.${columns.plain}`];
  if (richText === undefined) return plain;
  return richText === 'both'
    ? `CASE WHEN ${html} IS NOT NULL THEN json_build_object('html', ${html}, 'plain', ${plain}) END`
    : html;
}
