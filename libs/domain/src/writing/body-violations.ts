import { runRepeated, type Transaction } from '@ats/postgres';
import { idSchema } from '../vocabulary/value-schema.js';
import { getObjectType } from '../objects/object-model.js';
import { allResources, type RowSource } from '../vocabulary/resource.js';
import { tableOf } from '../reading/representation-sql.js';
import { NotFoundError, type Violation } from '../vocabulary/validation-error.js';
import { lockObject } from './lock-object.js';
import { type WriteBody } from './write-schema.js';

/**
 * Finds the violations that only the database can show: references to missing objects, and unique values of other
 * objects. It skips values that are invalid by themselves, so that one answer can list all violations of a request.
 * @param ownId  id of the replaced object, which may keep its own values
 */
export async function bodyViolations(
  transaction: Transaction,
  source: RowSource,
  body: WriteBody,
  ownId = 0,
): Promise<Violation[]> {
  return [
    ...(await referenceViolations(transaction, source, body)),
    ...(await uniqueViolations(transaction, source, body, ownId)),
  ];
}

/** Checks that each reference is the id of an object of the right type. Locks the object until the transaction ends. */
async function referenceViolations(
  transaction: Transaction,
  { type }: RowSource,
  body: WriteBody,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [name, relation] of Object.entries(type.relations)) {
    const id = relation.write && !relation.many ? idSchema.safeParse(body[`${name}_id`]) : undefined;
    if (!id?.success) continue;
    try {
      await lockObject(
        transaction,
        { name: relation.target, type: getObjectType(relation.target), fixed: {} },
        id.data,
        'KEY SHARE',
      );
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      violations.push({ path: `/${name}_id`, code: 'invalid', info: error.info });
    }
  }
  return violations;
}

/**
 * Finds unique values that other objects already have. The unique index decides between concurrent writes, see
 * `toValidationError`.
 */
async function uniqueViolations(
  transaction: Transaction,
  source: RowSource,
  body: WriteBody,
  ownId: number,
): Promise<Violation[]> {
  const { type } = source;
  const violations: Violation[] = [];
  for (const path of Object.values(type.uniques)) {
    const name = path.slice(1);
    const attribute = type.attributes[name];
    const value = body[name];
    if (!attribute?.column || typeof value !== 'string' || !attribute.schema.safeParse(value).success) continue;
    const compared = (text: string): string => (attribute.format === 'email' ? `lower(${text})` : text);
    const isEqual = `${compared(attribute.column.name ?? name)} = ${compared('$1')}`;
    const [taken] = await runRepeated<{ id: number; row: StoredRow }>(
      transaction,
      `SELECT id, to_jsonb(t) AS row FROM ${tableOf(type)} t WHERE ${isEqual} AND id <> $2`,
      [value, ownId],
    );
    if (taken) violations.push({ path, code: 'already_exists', ...existingOf(source, taken) });
  }
  return violations;
}

type StoredRow = Readonly<Record<string, unknown>>;

/**
 * Returns the resource and the id of a row, for the property `existing` of a violation. When several resources share
 * the table, the resource is `source` if the row belongs to it, and otherwise the resource that puts the most
 * conditions on the row.
 */
function existingOf(
  source: RowSource,
  { id, row }: { readonly id: number; readonly row: StoredRow },
): Pick<Violation, 'existing'> {
  const conditionsOf = (resource: RowSource): readonly (readonly [column: string, value: string])[] =>
    Object.entries({ ...resource.type.fixed, ...resource.fixed });
  const [resource] = allResources()
    .filter(({ type, ownerColumn }) => type.table === source.type.table && ownerColumn === undefined)
    .filter((candidate) => conditionsOf(candidate).every(([column, value]) => row[column] === value))
    .sort((a, b) =>
      a.name === source.name ? -1 : b.name === source.name ? 1 : conditionsOf(b).length - conditionsOf(a).length,
    );
  return resource ? { existing: { resource: resource.name, id } } : {};
}
