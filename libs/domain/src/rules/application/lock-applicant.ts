import { runRepeated, type Transaction } from '@ats/postgres';
import { conditionsOf, existenceStatement, tableOf } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { isPastUsed, rememberFormerValues } from '../../writing/event/former-values.js';

/**
 * The strength of the lock on an application. Both locks prevent other transactions from assigning the application to
 * another candidate. Use `UPDATE` to write to the application; it also remembers the application's values, as
 * `lockForChange` does.
 */
export type ApplicationLock = 'SHARE' | 'UPDATE';

/** The locked candidate of an application. */
export interface LockedApplicant {
  readonly user_id: number;
  /** False when the candidate is anonymised, or when the posting does not belong to the opportunity. */
  readonly is_valid: boolean;
}

/**
 * Locks an application and its candidate until the transaction ends. One statement locks the candidate first, because
 * anonymising uses this order, too. If another transaction assigns the application to another candidate meanwhile, the
 * statement finds no row. The function then runs it again, which locks the new candidate as well.
 * @throws {NotFoundError} when the collection has no such application
 */
export async function lockApplicant(
  transaction: Transaction,
  resource: Resource,
  id: number,
  lock: ApplicationLock,
): Promise<LockedApplicant> {
  const root = resource.type.name;
  const conditions = ['t.id = $1', ...conditionsOf(resource, 't', '')].join(' AND ');
  const isValid = `u.status <> 'anonymised' AND (t.posting_id IS NULL
    OR EXISTS (SELECT FROM postings p WHERE p.id = t.posting_id AND p.vacancy_id = t.opportunity_id))`;
  const locking = `SELECT t.user_id, ${isPastUsed(root)} AS is_past_used, ${isValid} AS is_valid
    FROM users u JOIN ${tableOf(resource.type)} t ON t.user_id = u.id WHERE ${conditions}
    FOR SHARE OF u FOR ${lock} OF t`;
  for (;;) {
    const [row] = await runRepeated<LockedApplicant & { is_past_used: boolean }>(transaction, locking, [id]);
    if (row) {
      if (lock === 'UPDATE' && row.is_past_used) await rememberFormerValues(transaction, { root, ids: [id] });
      return row;
    }
    const found = await runRepeated(transaction, existenceStatement(resource), [id]);
    if (found.length === 0) throw new NotFoundError(root, id);
  }
}
