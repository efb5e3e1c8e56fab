import { runStatement, type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { eventTypeOf } from '../../objects/event-types.js';
import { rememberFormerValues } from '../../writing/event/former-values.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { addHistoryOfMany } from '../history/history.js';
import { type OwnerValues, type ValidatedValues, type ValueChange } from './validate-form-values.js';
import { validateOwners, withItems } from './validate-owners.js';
import { lockOwners } from './form-owner.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';
import { plainValue, type ValueRow } from '../../reading/form-value.js';

export interface FormValuesWrite {
  /** The collection of the owners. */
  readonly resource: Resource;
  readonly recruiterId: number;
  readonly settings: ReadSettings;
  /**
   * The violations that the schema of the body found. If there are any, nothing is written, and the error lists them
   * before the violations of the form values.
   */
  readonly violations?: readonly Violation[];
  /** See `OwnersValidation`. */
  readonly isApplying?: boolean;
}

/**
 * Sets and clears form values: either all of them, or none. In the forms of the written values, visibility and required
 * items are checked with the values after the write.
 * @throws {ValidationError} with all violations of all owners
 * @throws {NotFoundError} when the owner in the path of the request does not exist; a missing owner of a bulk write
 *   is a violation instead
 * Source: docs/reference/forms.md, "Form values".
 */
export async function writeFormValues(
  transaction: Transaction,
  write: FormValuesWrite,
  owners: readonly OwnerValues[],
): Promise<void> {
  const { resource, settings, isApplying = false } = write;
  const { opportunities, violations: ofOwners } = await lockOwners(transaction, resource, owners);
  const validated = await validateOwners(transaction, { resource, settings, opportunities, isApplying }, owners);
  const violations = [
    ...withItems(write.violations ?? [], validated),
    ...ofOwners,
    ...validated.flatMap((values) => values.violations),
  ];
  if (violations.length > 0) throw new ValidationError(resource.name, violations);
  await store(transaction, write, validated);
}

/** Stores form values that were validated on a draft. The draft had another id than the stored owner. */
export async function storeFormValues(
  transaction: Transaction,
  write: FormValuesWrite,
  ownerId: number,
  { changes }: ValidatedValues,
): Promise<void> {
  const moved = changes.map((change) => ({
    ...change,
    ...(change.current && { current: { ...change.current, owner_id: ownerId } }),
  }));
  await store(transaction, write, [{ owner: { id: ownerId }, changes: moved }]);
}

interface OwnerChanges {
  readonly owner: { readonly id: number };
  readonly changes: readonly ValueChange[];
}

async function store(
  transaction: Transaction,
  { resource, recruiterId }: FormValuesWrite,
  validated: readonly OwnerChanges[],
): Promise<void> {
  const table = formValuesTable(resource.type.name as FormOwner);
  const changed = validated.filter(({ changes }) => changes.length > 0);
  const cleared = changed.flatMap(({ changes }) =>
    changes.flatMap(({ old, current }) => (old && !current ? [old] : [])),
  );
  const set = changed.flatMap(({ changes }) => changes.flatMap(({ current }) => (current ? [current] : [])));
  if (changed.length === 0) return;
  const objects = { root: resource.type.name, ids: changed.map(({ owner }) => owner.id) };
  await rememberFormerValues(transaction, objects);
  await removeRows(transaction, table, cleared);
  await upsertRows(transaction, table, set);
  await runStatement(
    transaction,
    `UPDATE ${resource.type.table ?? ''} SET updated_dt = clock_timestamp() WHERE id = ANY($1)`,
    [objects.ids],
  );
  const { root } = objects;
  await noteChanges(transaction, {
    root,
    // Only applications have an event for changed form values.
    change: eventTypeOf(root, 'form_values') ? 'form_values' : 'update',
    ids: objects.ids,
  });
  await addHistoryOfMany(
    transaction,
    changed.map(({ owner, changes }) => ({
      type: 'form_submitted',
      subjectType: resource.type.name === 'application' ? 'application' : 'opportunity',
      subjectId: owner.id,
      recruiterId,
      changes: changes.map(({ key, old, current }) => ({
        path: `/form_values/${key}`,
        old: old ? plainValue(old) : null,
        new: current ? plainValue(current) : null,
      })),
    })),
  );
}

async function removeRows(transaction: Transaction, table: string, rows: readonly ValueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await runStatement(
    transaction,
    `DELETE FROM ${table} v USING unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
       AS gone(owner_id, item_id, section_instance, form_instance)
     WHERE v.owner_id = gone.owner_id AND v.item_id = gone.item_id
       AND v.section_instance = gone.section_instance AND v.form_instance = gone.form_instance`,
    (['owner_id', 'item_id', 'section_instance', 'form_instance'] as const).map((name) => rows.map((row) => row[name])),
  );
}

async function upsertRows(transaction: Transaction, table: string, rows: readonly ValueRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const key = ['owner_id', 'item_id', 'section_instance', 'form_instance'];
  const assignments = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  await runStatement(
    transaction,
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)
     ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`,
    [JSON.stringify(rows)],
  );
}
