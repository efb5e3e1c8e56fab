import { message } from '@ats/message';
import { runRepeated, type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { getObjectType } from '../../objects/object-model.js';
import { NotFoundError, type Violation } from '../../vocabulary/validation-error.js';

export interface OpenOpportunity {
  /** The id of the process that applications to this opportunity follow. */
  readonly process_id: number;
}

/** The opportunity that a request names, if it exists, and a violation when applications to it are not possible. */
export interface TargetOpportunity {
  readonly opportunity?: OpenOpportunity;
  /** The violation without its path, which the calling code adds. */
  readonly violation?: Omit<Violation, 'path'>;
}

/**
 * Finds an opportunity of the kind that the collection's applications need, and locks it until the transaction ends. An
 * opportunity that is not open is a violation, unless the application `presentId` already belongs to it.
 * Source: docs/reference/resources.md, "Live applications".
 */
export async function openOpportunity(
  transaction: Transaction,
  { leadsTo }: Resource,
  id: number,
  presentId?: number,
): Promise<TargetOpportunity> {
  const { name, fixed } = getObjectType(leadsTo?.['opportunity'] ?? '');
  const [row] = await runRepeated<OpenOpportunity & { state: string; is_present: boolean }>(
    transaction,
    // The subquery reads the state that the row has after the lock. A join would use the state from before the wait and
    // find no row.
    `SELECT o.process_id, (SELECT s.state FROM states s WHERE s.id = o.state_id) AS state,
       EXISTS (SELECT FROM applications a WHERE a.id = $3 AND a.opportunity_id = o.id) AS is_present
     FROM opportunities o WHERE o.id = $1 AND o.kind = $2 FOR SHARE OF o`,
    [id, fixed['kind'], presentId ?? null],
  );
  if (!row) return { violation: { code: 'invalid', info: new NotFoundError(name, id).info } };
  const isOpen = row.state === 'open' || row.is_present;
  return {
    opportunity: row,
    ...(!isOpen && { violation: { code: 'opportunity_not_open', info: message`the present state is ${row.state}` } }),
  };
}
