import { isDeepStrictEqual } from 'node:util';
import { htmlValue } from './html-value.js';
import { type RichTextForm } from '../vocabulary/rich-text.js';
import { isSelect, type ItemType } from '../objects/form.model.js';

/** Identifies a value among the form values of an object. */
export interface ValuePlace {
  readonly item_id: number;
  readonly section_instance: number;
  readonly form_instance: number;
}

/** The columns of a form value. Only the columns for the type of its form item are set; all others are null. */
export interface ValueColumns {
  readonly text_value: string | null;
  readonly long_value: string | null;
  readonly rich_value: string | null;
  readonly rich_value_plain: string | null;
  readonly number_value: number | null;
  readonly boolean_value: boolean | null;
  readonly date_value: string | null;
  /** A time as ISO 8601 in UTC. */
  readonly datetime_value: string | null;
  readonly option_values: readonly string[] | null;
  readonly option_ids: readonly number[] | null;
}

export interface ValueRow extends ValuePlace, ValueColumns {
  readonly owner_id: number;
}

export const NO_VALUE: ValueColumns = {
  text_value: null,
  long_value: null,
  rich_value: null,
  rich_value_plain: null,
  number_value: null,
  boolean_value: null,
  date_value: null,
  datetime_value: null,
  option_values: null,
  option_ids: null,
};

/** A form value in the form in which conditions compare it. */
export type PlainValue = string | number | boolean | readonly string[] | null;

export const plainValue = (columns: ValueColumns): PlainValue =>
  columns.text_value ??
  columns.long_value ??
  columns.rich_value_plain ??
  columns.number_value ??
  columns.boolean_value ??
  columns.date_value ??
  columns.datetime_value ??
  columns.option_values;

export const isSameValue = (one: ValueColumns, other: ValueColumns): boolean =>
  Object.keys(NO_VALUE).every((name) =>
    isDeepStrictEqual(one[name as keyof ValueColumns], other[name as keyof ValueColumns]),
  );

/** True for null, for a blank text and for an empty list. */
export const isEmpty = (value: PlainValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

/** Returns the key of a form value as datapaths write it: `<item id>:<section instance>:<form instance>`. */
export const placeKey = ({ item_id, section_instance, form_instance }: ValuePlace): string =>
  `${item_id}:${section_instance}:${form_instance}`;

/** A form value as clients read it. Source: docs/reference/forms.md. */
export interface ShownValue extends ValuePlace {
  readonly value: PlainValue;
  /** The ids of the chosen options. They are texts when rich texts are requested in the format `html_scalars`. */
  readonly value_raw?: number | string | readonly (number | string)[] | null;
}

/**
 * Converts a row to the value that clients read.
 * @param form  the format of rich texts; defaults to plain text
 */
export function toShownValue(row: ValueRow, { type }: { readonly type: ItemType }, form?: RichTextForm): ShownValue {
  const { item_id, section_instance, form_instance, rich_value, option_ids } = row;
  const place = { item_id, section_instance, form_instance };
  if (form !== undefined && rich_value !== null) return { ...place, value: rich_value };
  const value = plainValue(row);
  const raw = type === 'single_select' ? (option_ids?.[0] ?? null) : option_ids;
  if (form === 'html_scalars')
    return { ...place, value: htmlValue(value), ...(isSelect(type) && { value_raw: htmlValue(raw) }) };
  return { ...place, value, ...(isSelect(type) && { value_raw: raw }) };
}
