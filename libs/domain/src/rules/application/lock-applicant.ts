import { runRepeated, type Transaction } from '@ats/postgres';
import { conditionsOf, tableOf } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';

/**
 * The strength of the lock. Under either lock, no other transaction can assign the application to another candidate.
 * Use `UPDATE` to write to the application.
 */
export type ApplicationLock = 'SHARE' | 'UPDATE';

/**
 * Locks an application and its candidate until the transaction ends. The candidate is locked first, because anonymising
 * uses this order, too. If another transaction has assigned the application to another candidate meanwhile, that
 * candidate is locked as well.
 * @returns the candidate's id
 * @throws {NotFoundError} when the collection has no such application
 */
export async function lockApplicant(
  transaction: Transaction,
  resource: Resource,
  id: number,
  lock: ApplicationLock,
): Promise<number> {
  const conditions = ['t.id = $1', ...conditionsOf(resource, 't', '')].join(' AND ');
  const select = `SELECT t.user_id FROM ${tableOf(resource.type)} t WHERE ${conditions}`;
  const ownerBy = async (statement: string): Promise<number> => {
    const [row] = await runRepeated<{ user_id: number }>(transaction, statement, [id]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.user_id;
  };
  let userId = await ownerBy(select);
  for (;;) {
    await runRepeated(transaction, 'SELECT FROM users WHERE id = $1 FOR SHARE', [userId]);
    const held = await ownerBy(`${select} FOR ${lock}`);
    if (held === userId) return userId;
    userId = held;
  }
}
