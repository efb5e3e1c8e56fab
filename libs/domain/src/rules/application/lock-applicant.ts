import { runRepeated, type Transaction } from '@ats/postgres';
import { conditionsOf, tableOf } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { lockForChange } from '../../writing/event/former-values.js';
import { lockAndRead } from '../../writing/lock-object.js';

/**
 * The strength of the lock. Under either lock, no other transaction can assign the application to another candidate.
 * Use `UPDATE` to write to the application; it also remembers the application's values, see `lockForChange`.
 */
export type ApplicationLock = 'SHARE' | 'UPDATE';

interface Owned {
  readonly user_id: number;
}

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
  const owner = `SELECT t.user_id FROM ${tableOf(resource.type)} t WHERE ${conditions}`;
  for (;;) {
    const [user] = await runRepeated<Owned>(
      transaction,
      `SELECT id AS user_id FROM users WHERE id = (${owner}) FOR SHARE`,
      [id],
    );
    if (!user) throw new NotFoundError(resource.type.name, id);
    const held =
      lock === 'UPDATE'
        ? await lockForChange<Owned>(transaction, resource, id, ['user_id'])
        : await lockAndRead<Owned>(transaction, { source: resource, id, strength: lock, columns: 'user_id' });
    if (held.user_id === user.user_id) return user.user_id;
  }
}
