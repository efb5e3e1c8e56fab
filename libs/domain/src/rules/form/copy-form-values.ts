import { runStatement, type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { NO_VALUE } from '../../reading/form-value.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';

/** An application and its vacancy or event. */
export interface CopiedOwner {
  readonly id: number;
  readonly opportunityId: number;
}

/** SQL condition that is true when the form belongs to the collection `$2` and applies to all opportunities in `$3`. */
const SHARED_FORMS = `f.resource = $2 AND (f.opportunity_ids = '{}' OR f.opportunity_ids @> $3::bigint[])`;

/**
 * Copies the form values of one application to a new application, with all section and form instances. It copies the
 * values of forms that apply to both opportunities. The values are not validated again. Source:
 * docs/reference/scoring.md, "Copies".
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
  // Locks the forms, so that no concurrent write renames an option: the copied value of a select must match its option.
  await runStatement(
    transaction,
    `SELECT FROM forms f WHERE ${SHARED_FORMS}
       AND f.id IN (SELECT s.form_id FROM ${table} v JOIN ${itemsOf} ON i.id = v.item_id WHERE v.owner_id = $1)
     ORDER BY f.id FOR SHARE`,
    parameters,
  );
  const columns = ['item_id', 'section_instance', 'form_instance', ...Object.keys(NO_VALUE)];
  await runStatement(
    transaction,
    `INSERT INTO ${table} (owner_id, ${columns.join(', ')})
     SELECT $4, ${columns.map((column) => `v.${column}`).join(', ')}
     FROM ${table} v JOIN (${itemsOf} JOIN forms f ON f.id = s.form_id) ON i.id = v.item_id
     WHERE v.owner_id = $1 AND ${SHARED_FORMS}`,
    [...parameters, to.id],
  );
}
