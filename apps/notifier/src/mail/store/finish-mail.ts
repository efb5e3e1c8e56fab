import { type FailedReason, markCommunicationFailed, markCommunicationSent, recordActivationMails } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type ClaimedRow, isActivationMail, lockCandidate } from './claimed-mail.js';
import { MAIL_LEASE_SECONDS } from './mail-job.js';

/** New state of an e-mail after an attempt. */
export type NextStep =
  | { readonly status: 'sent' }
  | { readonly status: 'due'; readonly delayMs: number }
  | { readonly status: 'failed'; readonly reason: FailedReason };

/**
 * SQL that stores the result of an attempt. A success counts unless the e-mail has failed or was cancelled, even when
 * another attempt has claimed the e-mail, because the server has it. A failure counts only if the row still belongs to
 * this attempt.
 */
const SETTLE = `
UPDATE outgoing_mails m SET status = $3, last_error = $4, sealed_token = CASE WHEN $3 = 'due' THEN m.sealed_token END,
  next_attempt_dt = CASE WHEN $3 = 'due' THEN clock_timestamp() + $5 * interval '1 millisecond'
    ELSE m.next_attempt_dt END,
  finished_dt = CASE WHEN $3 <> 'due' THEN clock_timestamp() END,
  requeues = 0, queued_dt = NULL, lease_until_dt = NULL, worker = NULL
WHERE m.id = $1 AND CASE WHEN $3 = 'sent' THEN m.status IN ('due', 'queued', 'sending') ELSE m.status = 'sending'
  AND m.attempts = $2 END
RETURNING m.id`;

/**
 * Stores the result of an attempt and the new status of the communication, in one transaction.
 * @param lastError  error code and codes of the server's answer; null for a success
 * @returns false when the result does not count, see {@link SETTLE}
 */
export const finishMail = (
  database: Database,
  mail: ClaimedRow,
  step: NextStep,
  lastError: string | null,
): Promise<boolean> =>
  database.transaction(async (transaction) => {
    const candidateId = isActivationMail(mail) ? await lockCandidate(transaction, mail.id) : undefined;
    const delayMs = step.status === 'due' ? step.delayMs : 0;
    const rows = await runStatement(transaction, SETTLE, [mail.id, mail.attempts, step.status, lastError, delayMs]);
    if (rows.length === 0) return false;
    if (mail.communication_id !== null && step.status !== 'due')
      await settleCommunication(transaction, mail.communication_id, step);
    if (candidateId !== undefined && step.status !== 'due')
      await recordActivationMails(transaction, [candidateId], step.status);
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
 * Prolongs the lease of an e-mail whose result could not be stored yet. Changes nothing when another attempt has
 * claimed the row of the e-mail. Changes nothing either when the row is locked, because no other worker can claim a
 * locked row.
 */
export async function prolongLease(database: Database, mail: ClaimedRow): Promise<void> {
  await database.query(PROLONG, [mail.id, mail.attempts]);
}

/** SQL that prolongs a lease. However often it runs, it changes the row at most every 30 seconds. */
const PROLONG = `
UPDATE outgoing_mails m SET lease_until_dt = clock_timestamp() + interval '${MAIL_LEASE_SECONDS} seconds'
WHERE m.id IN (
  SELECT id FROM outgoing_mails
  WHERE id = $1 AND attempts = $2 AND status = 'sending'
    AND lease_until_dt < clock_timestamp() + interval '${MAIL_LEASE_SECONDS - 30} seconds'
  FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Locks the communication of an e-mail without waiting. All other transactions lock a communication before its e-mail.
 * Here the e-mail is locked first, because its row decides whether the result counts. `NOWAIT` prevents a deadlock.
 * @throws when the communication is locked; the caller must try again
 */
const lockCommunication = (transaction: Transaction, id: number): Promise<object[]> =>
  runStatement(transaction, 'SELECT id FROM communications WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [id]);
