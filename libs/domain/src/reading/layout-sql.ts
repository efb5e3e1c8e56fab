import { type DatapathColumns, type DatapathColumnsOptions } from '@ats/search-query';
import { objectText } from './json-text.js';
import { type Layout } from './layout-column.js';

/** What a representation calls the values of a layout. SPEC.md 2.1. */
export const LAYOUT_DATA = 'layout_data';

/**
 * `layout_data` of one row, as the text of JSON.
 * @param columns  those of the representation, so that both share their joins
 * @param format   how values leave the database
 * Source: SPEC.md 2.1, CONTRACT.md 4.
 */
export function layoutDataText(
  layout: Layout,
  columns: DatapathColumns,
  format: DatapathColumnsOptions['format'],
): string {
  const objects = layout.columns.map(({ value, raw, formItem, isMany }) => {
    const list = (json: string): string => (isMany ? listOf(json) : json);
    if (formItem) {
      const [shown, option] = [formItem.value, formItem.raw].map(
        (end) => end && list(columns.columnOf({ datapath: value, end }, format)),
      );
      return objectText([
        ['value', shown ?? 'null'],
        ...(option === undefined ? [] : [['value_raw', option] as const]),
      ]);
    }
    return objectText([
      ['value', list(columns.column(value, format))],
      ...(raw === undefined ? [] : [['value_raw', columns.column(raw, format)] as const]),
    ]);
  });
  return `'[' || ${objects.join(" || ',' || ")} || ']'`;
}

/** An object that is missing has no tags, as one that has none. */
const listOf = (json: string): string => `coalesce(nullif(${json}, 'null'), '[]')`;
