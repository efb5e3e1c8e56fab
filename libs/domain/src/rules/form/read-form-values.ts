import { type RunQuery } from '../../reading/run-query.js';
import { runStatement, type Transaction } from '@ats/postgres';
import { type RichTextForm } from '../../vocabulary/rich-text.js';
import { type ItemType } from '../../objects/form.model.js';
import { groupBy } from './group-by.js';
import { NO_VALUE, toShownValue, type ShownValue, type ValueRow } from '../../reading/form-value.js';

const COLUMNS = ['owner_id', 'item_id', 'section_instance', 'form_instance', ...Object.keys(NO_VALUE)];

/**
 * SQL for the columns of form values, converted to the types of `ValueRow`. Otherwise the driver would return id arrays
 * as texts and times as `Date`.
 */
const select = (alias: string): string =>
  COLUMNS.map((name) => {
    if (name === 'datetime_value')
      return `to_char(${alias}.${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${name}`;
    return name === 'option_ids' ? `to_json(${alias}.${name}) AS ${name}` : `${alias}.${name}`;
  }).join(', ');

/** Reads all form values of the given owners. */
export const readValueRows = (
  transaction: Transaction,
  table: string,
  ownerIds: readonly number[],
): Promise<ValueRow[]> =>
  runStatement<ValueRow>(transaction, `SELECT ${select('v')} FROM ${table} v WHERE v.owner_id = ANY($1)`, [ownerIds]);

/**
 * Reads form values as clients see them, grouped by the owner's id and in the order of the forms. Every given owner has
 * an entry.
 * @param form  the format of rich text; defaults to plain text
 */
export async function readFormValues(
  run: RunQuery,
  table: string,
  ownerIds: readonly number[],
  form?: RichTextForm,
): Promise<ReadonlyMap<number, readonly ShownValue[]>> {
  const rows = (await run(
    `SELECT ${select('v')}, i.type
     FROM ${table} v JOIN form_items i ON i.id = v.item_id JOIN form_sections s ON s.id = i.section_id
     WHERE v.owner_id = ANY($1)
     ORDER BY v.owner_id, s.form_id, v.form_instance, s.position, v.section_instance, i.position`,
    [ownerIds],
  )) as unknown as (ValueRow & { readonly type: ItemType })[];
  const byOwner = groupBy(rows, ({ owner_id }) => owner_id);
  return new Map(ownerIds.map((id) => [id, (byOwner.get(id) ?? []).map((row) => toShownValue(row, row, form))]));
}
