import { type DatapathColumns, type DatapathColumnsOptions } from '@ats/search-query';
import { concatText, objectText } from './json-text.js';
import { type Layout } from './layout-column.js';

/** The property of a representation that contains the values of a layout. */
export const LAYOUT_DATA = 'layout_data';

/**
 * SQL for the JSON text of `layout_data` of one row.
 * @param columns  the columns of the representation, so that the layout reuses their joins
 * @param format   makes SQL for the JSON of a value
 * Source: docs/reference/layouts.md.
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
  return concatText(["'['", ...objects.flatMap((object, index) => (index === 0 ? [object] : ["','", object])), "']'"]);
}

/** Replaces the null of a missing object by an empty list. */
const listOf = (json: string): string => `coalesce(nullif(${json}, 'null'), '[]')`;
