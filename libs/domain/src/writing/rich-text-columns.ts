import { readRichText, type RichText } from '@ats/rich-text';
import { type Attribute } from '../vocabulary/attribute.js';
import { type ColumnDescription } from '../vocabulary/column.js';
import { type ObjectType, type Property } from '../vocabulary/object-type.js';

/** A rich text attribute. It has one column for HTML and one for plain text. */
export interface RichTextAttribute extends Attribute {
  readonly column: ColumnDescription & { readonly name: string };
  readonly htmlColumn: string;
}

export const isRichText = (property: Property): property is RichTextAttribute =>
  property.kind === 'attribute' && property.htmlColumn !== undefined && property.column?.name !== undefined;

/** True when the type has a rich text attribute. */
export const hasRichText = ({ properties }: ObjectType): boolean => Object.values(properties).some(isRichText);

/**
 * Returns the values of both columns of a rich text, or nothing when the body leaves it out.
 * @param before  the stored value as HTML and as plain text. A given text that equals one of them changes nothing. So
 *   a client that reads an item as plain text and writes it back keeps the formatting
 */
export function richTextValues(
  { column, htmlColumn }: RichTextAttribute,
  given: unknown,
  before: unknown,
): Record<string, unknown> {
  if (given === undefined) return {};
  const text = typeof given === 'string' ? storedText(given, before as RichText | null | undefined) : null;
  return { [htmlColumn]: text?.html ?? null, [column.name]: text?.plain ?? null };
}

function storedText(given: string, before: RichText | null | undefined): RichText {
  if (given === before?.plain) return before;
  const read = readRichText(given);
  return read.html === before?.html ? before : read;
}

/**
 * Returns the plain text of a rich text, as history entries store it.
 * @param shown  a rich text as HTML and plain text, or null
 */
export const plainForm = (shown: unknown): string | null => (shown as RichText | null)?.plain ?? null;
