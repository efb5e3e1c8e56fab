import { readRichText, type RichText } from '@ats/rich-text';
import { type Attribute, type ColumnDescription } from '../vocabulary/attribute.js';
import { type ObjectType, type Property } from '../vocabulary/object-type.js';

/** An attribute that is stored in two columns. */
export interface RichTextAttribute extends Attribute {
  readonly column: ColumnDescription & { readonly name: string };
  readonly htmlColumn: string;
}

export const isRichText = (property: Property): property is RichTextAttribute =>
  property.kind === 'attribute' && property.htmlColumn !== undefined && property.column?.name !== undefined;

/** Whether such an object reads differently as HTML. */
export const hasRichText = ({ properties }: ObjectType): boolean => Object.values(properties).some(isRichText);

/**
 * Both columns of a rich text that a body sets; none when the body leaves it out.
 * @param before  what is there, in both forms. Sent as it reads, in either of them, it stays as it is: a client that reads an item,
 * changes something else and writes the whole back does not take the formatting away
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

/** The form that history tells of. @param shown  a rich text in both forms, or null */
export const plainForm = (shown: unknown): string | null => (shown as RichText | null)?.plain ?? null;
