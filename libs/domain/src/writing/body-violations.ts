import { runStatement, type Transaction } from '@ats/postgres';
import { idSchema } from '../vocabulary/value-schema.js';
import { getObjectType } from '../objects/object-model.js';
import { type RowSource } from '../vocabulary/resource.js';
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
  { type }: RowSource,
  body: WriteBody,
  ownId: number,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const path of Object.values(type.uniques)) {
    const name = path.slice(1);
    const attribute = type.attributes[name];
    const value = body[name];
    if (!attribute?.column || typeof value !== 'string' || !attribute.schema.safeParse(value).success) continue;
    const compared = (text: string): string => (attribute.format === 'email' ? `lower(${text})` : text);
    const isEqual = `${compared(attribute.column.name ?? name)} = ${compared('$1')}`;
    const taken = await runStatement(transaction, `SELECT 1 FROM ${tableOf(type)} WHERE ${isEqual} AND id <> $2`, [
      value,
      ownId,
    ]);
    if (taken.length > 0) violations.push({ path, code: 'already_exists' });
  }
  return violations;
}
