import { runStatement, type Transaction } from '@ats/postgres';
import { conditionsOf, tableOf } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';

/** Either keeps an application with the person whose it is; `UPDATE` is for who writes to it, too. */
export type ApplicationLock = 'SHARE' | 'UPDATE';

/**
 * Takes hold of an application and of the person whose it is, until the transaction ends: the person first, as who anonymises takes
 * them. An application that is given to somebody else meanwhile is held with that one.
 * @returns the id of the person
 * @throws {NotFoundError} when the collection has no such application
 */
export async function lockApplicant(
  transaction: Transaction,
  resource: Resource,
  id: number,
  lock: ApplicationLock,
): Promise<number> {
  const select = `SELECT t.user_id FROM ${tableOf(resource.type)} t WHERE ${['t.id = $1', ...conditionsOf(resource, 't', '')].join(' AND ')}`;
  const ownerBy = async (statement: string): Promise<number> => {
    const [row] = await runStatement<{ user_id: number }>(transaction, statement, [id]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.user_id;
  };
  let userId = await ownerBy(select);
  for (;;) {
    await runStatement(transaction, 'SELECT FROM users WHERE id = $1 FOR SHARE', [userId]);
    const held = await ownerBy(`${select} FOR ${lock}`);
    if (held === userId) return userId;
    userId = held;
  }
}
