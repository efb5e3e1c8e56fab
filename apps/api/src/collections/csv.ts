import { type JsonSchema } from '@ats/domain';
import { stringify } from 'csv-stringify/sync';

/** One column of a table. */
export interface CsvColumn {
  readonly title: string;
  /** Returns the value of an item. Undefined when the item has no value. */
  readonly read: (item: Readonly<Record<string, unknown>>) => unknown;
}

interface Part {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * Makes a column for each property of a schema, except objects and lists. The title contains the names of all
 * properties that lead to it, such as `user.firstname`. Properties that pages may leave out have no column.
 * @param isWanted  returns true for the properties of the item itself that get columns
 */
export function columnsOf(schema: JsonSchema, isWanted: (name: string) => boolean): readonly CsvColumn[] {
  return pathsOf(schema)
    .filter(([name = '']) => isWanted(name))
    .map((path) => ({ title: path.join('.'), read: (item) => path.reduce<unknown>(step, item) }));
}

function pathsOf(schema: JsonSchema): readonly (readonly string[])[] {
  const { properties = {}, required = [] } = schema as Part;
  return required.flatMap((name) => {
    const part = properties[name] ?? {};
    const types = [(part as Part).type ?? []].flat();
    if (types.includes('array')) return [];
    if (types.includes('object') || 'properties' in part) return pathsOf(part).map((below) => [name, ...below]);
    return [[name]];
  });
}

const step = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Returns the columns of a layout. @param titles  in the order of the columns */
export const layoutColumns = (titles: readonly string[]): readonly CsvColumn[] =>
  titles.map((title, index) => ({
    title,
    read: ({ layout_data: data }) => (data as readonly { readonly value: unknown }[])[index]?.value,
  }));

/**
 * Writes rows as CSV (RFC 4180). A text that a spreadsheet would evaluate as a formula gets an apostrophe in front of
 * it. Source: docs/reference/export.md, "CSV".
 */
const write = (rows: readonly (readonly (string | number)[])[]): string =>
  stringify(rows as (string | number)[][], { escape_formulas: true, record_delimiter: 'windows' });

export const csvHeader = (columns: readonly CsvColumn[]): string => write([columns.map(({ title }) => title)]);

export const csvRows = (columns: readonly CsvColumn[], items: readonly Readonly<Record<string, unknown>>[]): string =>
  write(items.map((item) => columns.map(({ read }) => cellOf(read(item)))));

/**
 * Returns a value as a cell. A number stays a number and so gets no apostrophe, with which a spreadsheet would treat a
 * negative number as text.
 */
function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map((element) => String(cellOf(element))).join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
