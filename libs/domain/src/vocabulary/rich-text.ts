import { type Message, message } from '@ats/message';
import { readRichText, RICH_TEXT_ELEMENTS, RichTextError } from '@ats/rich-text';
import { type SqlSettings } from '@ats/search-query';

/**
 * How rich texts are shown: as HTML, or in both forms to compare them; as plain text unless told. `html_scalars` is as HTML too, and
 * so are all other values of layouts and forms then.
 */
export type RichTextForm = 'html' | 'html_scalars' | 'both';

/** The stored columns of a rich text. */
export interface RichTextColumns {
  readonly html: string;
  readonly plain: string;
}

/** For an integrator, in the schemas and the reference. */
export const RICH_TEXT_NOTE = [
  'Rich text. Reads as plain text, with `rich_txt_fmt=html` as HTML. Written as HTML, of which these elements stay:',
  `${RICH_TEXT_ELEMENTS.map((name) => `\`${name}\``).join(' ')}; links lead to \`http\`, \`https\` or \`mailto\` and get a \`rel\`.`,
  'A text without tags keeps its line breaks. Sent as it reads, in either form, it stays as it is.',
].join(' ');

/**
 * What is wrong with a text that is to be a rich one, beside being too long as it was given; undefined when nothing is.
 * @param isFilled  whether there must be something to read
 */
export function richTextFault(
  text: string,
  { isFilled }: { readonly isFilled: boolean } = { isFilled: false },
): Message | undefined {
  try {
    const { plain } = readRichText(text);
    return isFilled && plain.trim() === '' ? message`expected a text that is not empty` : undefined;
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return error.code === 'too_long' ? undefined : error.info;
  }
}

/**
 * Reads a rich text from the row called `alias`. Conditions, orders and facts see its plain text: no setting of theirs asks for
 * another form. Source: CONTRACT.md 4, `rich_txt_fmt`.
 */
export function richTextSql(alias: string, columns: RichTextColumns, { richText }: SqlSettings): string {
  const [html, plain] = [`${alias}.${columns.html}`, `${alias}.${columns.plain}`];
  if (richText === undefined) return plain;
  return richText === 'both'
    ? `CASE WHEN ${html} IS NOT NULL THEN json_build_object('html', ${html}, 'plain', ${plain}) END`
    : html;
}
