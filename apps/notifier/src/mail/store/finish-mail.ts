import { markCommunicationFailed, markCommunicationSent } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type ClaimedRow } from './claimed-mail.js';
import { MAIL_LEASE_SECONDS } from './mail-job.js';
import { type NextStep } from '../next-step.js';

/** A failure counts for the attempt that owns the row alone; a success for everybody: the server has it. */
const SETTLE = `
UPDATE outgoing_mails m SET status = $3, last_error = $4, sealed_token = CASE WHEN $3 = 'due' THEN m.sealed_token END,
  next_attempt_dt = CASE WHEN $3 = 'due' THEN clock_timestamp() + $5 * interval '1 millisecond' ELSE m.next_attempt_dt END,
  finished_dt = CASE WHEN $3 <> 'due' THEN clock_timestamp() END,
  requeues = 0, queued_dt = NULL, lease_until_dt = NULL, worker = NULL
WHERE m.id = $1 AND CASE WHEN $3 = 'sent' THEN m.status IN ('due', 'queued', 'sending') ELSE m.status = 'sending' AND m.attempts = $2 END
RETURNING m.id`;

/**
 * Stores what came of an attempt together with what it means for the communication, so that neither is without the other.
 * @param lastError  code of what went wrong, with the numbers of the server's answer; null for a success
 * @returns false when another attempt owns the e-mail by now, or when it was cancelled
 */
export const finishMail = (
  database: Database,
  mail: ClaimedRow,
  step: NextStep,
  lastError: string | null,
): Promise<boolean> =>
  database.transaction(async (transaction) => {
    const delayMs = step.status === 'due' ? step.delayMs : 0;
    const rows = await runStatement(transaction, SETTLE, [mail.id, mail.attempts, step.status, lastError, delayMs]);
    if (rows.length === 0) return false;
    if (mail.communication_id !== null && step.status !== 'due')
      await settleCommunication(transaction, mail.communication_id, step);
    return true;
  });

async function settleCommunication(
  transaction: Transaction,
  id: number,
  step: Exclude<NextStep, { readonly status: 'due' }>,
): Promise<void> {
  await lockCommunication(transaction, id);
  if (step.status === 'sent') await markCommunicationSent(transaction, id);
  else await markCommunicationFailed(transaction, id, step.reason);
}

/**
 * Keeps an e-mail for who has its result in hand and could not store it yet. What another attempt owns by now stays as it is, and so does
 * what somebody holds: nobody can take it from here meanwhile.
 */
export async function prolongLease(database: Database, mail: ClaimedRow): Promise<void> {
  await database.query(PROLONG, [mail.id, mail.attempts]);
}

/** Seldom, however often it is tried. */
const PROLONG = `
UPDATE outgoing_mails m SET lease_until_dt = clock_timestamp() + interval '${MAIL_LEASE_SECONDS} seconds'
WHERE m.id IN (
  SELECT id FROM outgoing_mails
  WHERE id = $1 AND attempts = $2 AND status = 'sending' AND lease_until_dt < clock_timestamp() + interval '${MAIL_LEASE_SECONDS - 30} seconds'
  FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Whoever else writes both takes the communication first. Here the e-mail comes first, for its row says whether the result still counts: so
 * nobody waits here with an e-mail in hand. @throws when it is locked at this moment: to be tried again
 */
const lockCommunication = (transaction: Transaction, id: number): Promise<object[]> =>
  runStatement(transaction, 'SELECT id FROM communications WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [id]);
