import { parseDatapath, resolveDatapath } from '@ats/datapath';
import { localisedText } from '../vocabulary/attribute.js';
import { type CatalogueEntry, type CatalogueItem } from '../reading/datapath-catalogue.js';
import { type ReadSettings, sqlSettings } from '../reading/representation-sql.js';
import { type RunQuery } from '../reading/run-query.js';
import { modelForNewTexts } from './closed-values.js';

/**
 * Reads all form items for the catalogue of datapaths.
 * @param showsLabels  false for a client that may not read forms; the result then has no labels and options
 */
export async function readCatalogueItems(
  run: RunQuery,
  settings: ReadSettings,
  showsLabels: boolean,
): Promise<readonly CatalogueItem[]> {
  const label = localisedText()('label').sql('i', sqlSettings(settings));
  const values = `(SELECT json_agg(o.value ORDER BY o.position) FROM form_options o WHERE o.item_id = i.id)`;
  const rows = await run(
    `SELECT i.id, i.type, f.resource, ${showsLabels ? label : 'NULL'} AS label, ${showsLabels ? values : 'NULL'} AS values
     FROM form_items i JOIN form_sections s ON s.id = i.section_id JOIN forms f ON f.id = s.form_id ORDER BY i.id`,
    [],
  );
  return rows as unknown as readonly CatalogueItem[];
}

/**
 * Adds the closed lists that the object model or a table defines to the entries of the catalogue. The entries of form
 * items already have their lists.
 */
export async function withClosedValues(
  run: RunQuery,
  entries: readonly CatalogueEntry[],
): Promise<readonly CatalogueEntry[]> {
  const values = entries.filter(({ type, path }) => isDescribed(type) && !path.includes('.formdata.'));
  const model = await modelForNewTexts(
    run,
    values.map(({ path }) => path),
  );
  return entries.map((entry) => {
    if (entry.type === 'boolean') return { ...entry, values: ['true', 'false'] };
    if (!values.includes(entry)) return entry;
    const found = resolveDatapath(parseDatapath(entry.path, model), model, entry.root).values;
    return { ...entry, values: found ?? null };
  });
}

const isDescribed = (type: string): boolean => type !== 'reference' && type !== 'formdata';
