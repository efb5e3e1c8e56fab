import { runStatement, type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { NO_VALUE } from '../../reading/form-value.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';

/** An application with what it is for. */
export interface CopiedOwner {
  readonly id: number;
  readonly opportunityId: number;
}

/** The forms of the values of `$1` that are about items of `$2` and apply to the opportunities `$3`: all of them. CONTRACT.md 11. */
const SHARED_FORMS = `f.resource = $2 AND (f.opportunity_ids = '{}' OR f.opportunity_ids @> $3::bigint[])`;

/**
 * Gives a new application what another one says in forms that apply to both, all instances. Nothing is judged: the values were
 * right where they come from. Source: CONTRACT.md 5 and 11, `copy`.
 */
export async function copyFormValues(
  transaction: Transaction,
  { name, type }: Resource,
  from: CopiedOwner,
  to: CopiedOwner,
): Promise<void> {
  const table = formValuesTable(type.name as FormOwner);
  const parameters = [from.id, name, [from.opportunityId, to.opportunityId]];
  const itemsOf = `form_items i JOIN form_sections s ON s.id = i.section_id`;
  // Kept from changing until the end: a select holds the values of its options, which follow when a form renames them.
  await runStatement(
    transaction,
    `SELECT FROM forms f WHERE ${SHARED_FORMS} AND f.id IN (SELECT s.form_id FROM ${table} v JOIN ${itemsOf} ON i.id = v.item_id WHERE v.owner_id = $1)
     ORDER BY f.id FOR SHARE`,
    parameters,
  );
  const columns = ['item_id', 'section_instance', 'form_instance', ...Object.keys(NO_VALUE)];
  await runStatement(
    transaction,
    `INSERT INTO ${table} (owner_id, ${columns.join(', ')})
     SELECT $4, ${columns.map((column) => `v.${column}`).join(', ')}
     FROM ${table} v JOIN (${itemsOf} JOIN forms f ON f.id = s.form_id) ON i.id = v.item_id WHERE v.owner_id = $1 AND ${SHARED_FORMS}`,
    [...parameters, to.id],
  );
}
