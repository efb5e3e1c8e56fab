import { type Message, message } from '@ats/message';
import { type RunQuery } from '../../reading/run-query.js';
import { modelForTexts } from '../../facts/form-items.js';
import { type Resource } from '../../vocabulary/resource.js';
import { LAYOUT_LIMITS } from '../../objects/layout.model.js';
import { type Layout, type LayoutColumn, readLayoutColumn } from '../../reading/layout-column.js';
import { weightOf } from '../../reading/layout-weight.js';
import { tooHeavy } from './layout-body.js';

/** A layout, or the reasons why it can no longer be used. */
export type FoundLayout =
  | (Layout & { readonly violations?: undefined })
  | { readonly code: 'invalid' | 'too_complex'; readonly violations: readonly Message[] };

/**
 * Finds a layout of a collection by its id.
 * @returns null when the collection has no such layout
 */
export async function findLayout(run: RunQuery, { name, type }: Resource, id: number): Promise<FoundLayout | null> {
  const [row] = await run(
    `SELECT array_agg(c.datapath ORDER BY c.position) AS datapaths
     FROM layouts l JOIN layout_columns c ON c.layout_id = l.id
     WHERE l.id = $1 AND l.resource = $2 GROUP BY l.id`,
    [id, name],
  );
  if (!row) return null;
  const datapaths = row['datapaths'] as readonly string[];
  const model = await modelForTexts(run, datapaths);
  const read = datapaths.map((datapath) => readLayoutColumn(type, datapath, model));
  const violations = read.flatMap((column, index) =>
    'violations' in column ? column.violations.map((violation) => message`column ${index + 1}: ${violation}`) : [],
  );
  if (violations.length > 0) return { code: 'invalid', violations };
  const columns = read.filter((column): column is LayoutColumn => !('violations' in column));
  const weight = weightOf(type, columns);
  // Earlier releases stored layouts that exceed this limit.
  if (weight > LAYOUT_LIMITS.weight) return { code: 'too_complex', violations: [tooHeavy(weight)] };
  return { columns };
}
