import { DatapathColumns } from '@ats/search-query';
import { application } from '../../objects/application.model.js';
import { type RunQuery } from '../../reading/run-query.js';
import { type LayoutColumn } from '../../reading/layout-column.js';
import { objectModel } from '../../objects/object-model.js';
import { formatValue, type ReadSettings, sqlSettings, tableOf } from '../../reading/representation-sql.js';

/** The value of a placeholder: plain text and, for a rich text, sanitised HTML. */
export interface MergeValue {
  readonly plain: string;
  readonly html?: string;
}

/**
 * Reads the values of a template's placeholders for one application, in one statement. The value of an object is its
 * label, that of a select the labels of its options, and that of a list its elements. Commas separate several labels or
 * elements. Dates and times are in ISO 8601, and numbers are decimal.
 * @param columns  maps the text of each placeholder's datapath to the column to read
 * @returns maps the same texts to the values, without empty values. Null when the application does not exist
 * Source: docs/reference/communications.md, "Placeholders".
 */
export async function readMergeValues(
  run: RunQuery,
  id: number,
  columns: ReadonlyMap<string, LayoutColumn>,
  settings: ReadSettings,
): Promise<ReadonlyMap<string, MergeValue> | null> {
  const reading = new DatapathColumns({
    model: objectModel,
    root: application.name,
    alias: 't',
    settings: { ...sqlSettings(settings), richText: 'both' },
    format: formatValue,
  });
  const wanted = [...columns];
  const select = wanted.map(
    ([, { value, formItem }], index) =>
      `${formItem ? reading.columnOf({ datapath: value, end: formItem.value }) : reading.column(value)} AS c${index}`,
  );
  const [row] = await run(
    `SELECT ${['t.id AS id', ...select].join(', ')} FROM ${tableOf(application)} t ${reading.joins} WHERE t.id = $1`,
    [id],
  );
  if (!row) return null;
  return new Map(
    wanted.flatMap(([text], index) => {
      const value = toMergeValue(row[`c${index}`]);
      return value ? [[text, value] as const] : [];
    }),
  );
}

function toMergeValue(value: unknown): MergeValue | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return joined(value.map(toMergeValue).filter((one) => one !== null));
  return isRichText(value) ? value : { plain: typeof value === 'string' ? value : JSON.stringify(value) };
}

function joined(values: readonly MergeValue[]): MergeValue {
  const plain = values.map((one) => one.plain).join(', ');
  return values.some(({ html }) => html !== undefined)
    ? { plain, html: values.map(({ html = '' }) => html).join(', ') }
    : { plain };
}

/** True for the value of a rich text. It has HTML and plain text; all other values are plain texts. */
const isRichText = (value: unknown): value is Required<MergeValue> =>
  typeof value === 'object' && value !== null && 'html' in value && 'plain' in value;
