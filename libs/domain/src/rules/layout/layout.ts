import { type Message, message } from '@ats/message';
import { type RunQuery } from '../../facts/facts.js';
import { modelForTexts } from '../../facts/form-items.js';
import { type Resource } from '../../vocabulary/resource.js';
import { type LayoutColumn, readLayoutColumn } from '../../reading/layout-column.js';

/** What a layout adds to the items of its collection. */
export interface Layout {
  readonly columns: readonly LayoutColumn[];
}

/** A layout, or why it cannot be used any more, for people. */
export type FoundLayout = (Layout & { readonly faults?: undefined }) | { readonly faults: readonly Message[] };

/** The layout with this id for the items of a collection; null when it has none. */
export async function findLayout(run: RunQuery, { name, type }: Resource, id: number): Promise<FoundLayout | null> {
  const [row] = await run(
    `SELECT array_agg(c.datapath ORDER BY c.position) AS datapaths FROM layouts l JOIN layout_columns c ON c.layout_id = l.id
     WHERE l.id = $1 AND l.resource = $2 GROUP BY l.id`,
    [id, name],
  );
  if (!row) return null;
  const datapaths = row['datapaths'] as readonly string[];
  const model = await modelForTexts(run, datapaths);
  const read = datapaths.map((datapath) => readLayoutColumn(type, datapath, model));
  const faults = read.flatMap((column, index) =>
    'faults' in column ? column.faults.map((fault) => message`column ${index + 1}: ${fault}`) : [],
  );
  if (faults.length > 0) return { faults };
  return { columns: read.filter((column): column is LayoutColumn => !('faults' in column)) };
}

/** Every datapath that a layout reads, without the root's name: what a client must be allowed to read. CONTRACT.md 2. */
export const layoutDatapaths = ({ columns }: Layout): readonly string[] =>
  columns.flatMap(({ value, raw }) => (raw === undefined ? [value] : [value, raw]));

/** The same for layouts that read the same, and changes with every edit of a layout that matters to a statement. */
export const layoutKey = ({ columns }: Layout): string =>
  columns
    .map(({ datapath, formItem }) =>
      formItem?.value.kind === 'attribute' ? `${datapath} ${formItem.value.owner}` : datapath,
    )
    .join(' ');
