import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { getObjectType } from '../../objects/object-model.js';
import { NotFoundError, type ValidationFault } from '../../vocabulary/validation-error.js';

export interface OpenOpportunity {
  /** Of its applications. */
  readonly process_id: number;
}

/** What an application is to be for; without it, or beside it, what speaks against it. */
export interface TargetOpportunity {
  readonly opportunity?: OpenOpportunity;
  /** The path is the caller's to say. */
  readonly fault?: Omit<ValidationFault, 'path'>;
}

/**
 * An opportunity that takes applications of a collection: of its kind, and open, unless an application is there already. It
 * is held as it is until the transaction ends.
 * @param presentId  the application that may be there already
 * Source: CONTRACT.md 5, `applications`.
 */
export async function openOpportunity(
  transaction: Transaction,
  { leadsTo }: Resource,
  id: number,
  presentId?: number,
): Promise<TargetOpportunity> {
  const { name, fixed } = getObjectType(leadsTo?.['opportunity'] ?? '');
  const [row] = await runStatement<OpenOpportunity & { state: string; is_present: boolean }>(
    transaction,
    // The state is looked up by the row as it is once it is held: a join would still be with the state of before, and find nothing.
    `SELECT o.process_id, (SELECT s.state FROM states s WHERE s.id = o.state_id) AS state,
       EXISTS (SELECT FROM applications a WHERE a.id = $3 AND a.opportunity_id = o.id) AS is_present
     FROM opportunities o WHERE o.id = $1 AND o.kind = $2 FOR SHARE OF o`,
    [id, fixed['kind'], presentId ?? null],
  );
  if (!row) return { fault: { code: 'invalid', info: new NotFoundError(name, id).info } };
  const isOpen = row.state === 'open' || row.is_present;
  return {
    opportunity: row,
    ...(!isOpen && { fault: { code: 'opportunity_not_open', info: message`the present state is ${row.state}` } }),
  };
}
