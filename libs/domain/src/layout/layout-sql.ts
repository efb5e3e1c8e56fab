import { type DatapathColumns } from '@ats/search-query';
import { objectText } from '../model/json-text.js';
import { type Layout } from './layout.js';

/** What a representation calls the values of a layout. SPEC.md 2.1. */
export const LAYOUT_DATA = 'layout_data';

/**
 * `layout_data` of one row, as the text of JSON.
 * @param columns  those of the representation, so that both share their joins and say values alike
 * Source: SPEC.md 2.1, CONTRACT.md 4.
 */
export function layoutDataText(layout: Layout, columns: DatapathColumns): string {
  const objects = layout.columns.map(({ value, raw, isMany }) => {
    const json = columns.column(value);
    return objectText([['value', isMany ? listOf(json) : json], ...(raw === undefined ? [] : [['value_raw', columns.column(raw)] as const])]);
  });
  return `'[' || ${objects.join(" || ',' || ")} || ']'`;
}

/** An object that is missing has no tags, as one that has none. */
const listOf = (json: string): string => `coalesce(nullif(${json}, 'null'), '[]')`;
