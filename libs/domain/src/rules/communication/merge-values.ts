import { DatapathColumns } from '@ats/search-query';
import { application } from '../../objects/application.model.js';
import { type RunQuery } from '../../reading/run-query.js';
import { type LayoutColumn } from '../../reading/layout-column.js';
import { objectModel } from '../../objects/object-model.js';
import { formatValue, type ReadSettings, sqlSettings, tableOf } from '../../reading/representation-sql.js';

/** What a placeholder stands for: canonical text, and the sanitised HTML of a rich text. */
export interface MergeValue {
  readonly plain: string;
  readonly html?: string;
}

/**
 * What the placeholders of a template say of one application, in one statement: of objects their label, of selects the labels of the
 * options, of lists the elements with commas between them. Dates and moments are ISO, numbers decimal.
 * @param columns  by the texts of their datapaths
 * @returns the values by the same texts, without those that are missing; null when the application is gone
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

/** A rich text in both forms, as the settings above ask for it. */
const isRichText = (value: unknown): value is Required<MergeValue> =>
  typeof value === 'object' && value !== null && 'html' in value && 'plain' in value;
