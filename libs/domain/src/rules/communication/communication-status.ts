import { runStatement, type Transaction } from '@ats/postgres';
import { communication, type FailedReason } from '../../objects/communication.model.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { addHistory } from '../history/history.js';
import { cancelMails } from './outgoing-mails.js';

interface Settled {
  readonly application_id: number | null;
  readonly author_id: number;
  readonly is_to_candidate: boolean;
}

/**
 * Marks a queued communication as sent. Any other communication does not change. If the communication was sent to the
 * candidate, the application's history gets an entry. Notes and inbound communications get no entry.
 * @returns true when the communication was queued
 * Source: docs/reference/communications.md, "Status".
 */
export async function markCommunicationSent(transaction: Transaction, id: number): Promise<boolean> {
  const [row] = await runStatement<Settled>(
    transaction,
    `UPDATE communications SET status = 'sent', sent_dt = clock_timestamp(), updated_dt = clock_timestamp()
     WHERE id = $1 AND status = 'queued'
     RETURNING application_id, author_id, type <> 'note' AND direction = 'outbound' AS is_to_candidate`,
    [id],
  );
  if (!row) return false;
  if (row.is_to_candidate) await noteSettled(transaction, 'sent', [{ id, author_id: row.author_id }]);
  if (row.application_id !== null && row.is_to_candidate)
    await addSent(transaction, { id, applicationId: row.application_id, recruiterId: row.author_id });
  return true;
}

/**
 * Marks a queued communication as failed.
 * @returns true when the communication was queued
 */
export async function markCommunicationFailed(
  transaction: Transaction,
  id: number,
  reason: FailedReason,
): Promise<boolean> {
  const rows = await runStatement<Author>(
    transaction,
    `UPDATE communications SET status = 'failed', failed_reason = $2, updated_dt = clock_timestamp()
     WHERE id = $1 AND status = 'queued' RETURNING id, author_id`,
    [id, reason],
  );
  await noteSettled(transaction, 'failed', rows);
  return rows.length > 0;
}

/**
 * Marks the queued communications of a candidate as failed. Sets `updated_dt` of all communications of the candidate.
 * Lock order: communications by id, then their e-mails.
 */
export async function failCommunicationsOf(
  transaction: Transaction,
  userId: number,
  reason: FailedReason,
): Promise<void> {
  const rows = await runStatement<Author & { readonly status: string }>(
    transaction,
    'SELECT id, author_id, status FROM communications WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE',
    [userId],
  );
  await cancelMails(
    transaction,
    rows.map(({ id }) => id),
  );
  await runStatement(
    transaction,
    `UPDATE communications SET updated_dt = clock_timestamp(),
       failed_reason = CASE WHEN status = 'queued' THEN $2 ELSE failed_reason END,
       status = CASE WHEN status = 'queued' THEN 'failed' ELSE status END
     WHERE user_id = $1`,
    [userId, reason],
  );
  await noteSettled(
    transaction,
    'failed',
    rows.filter(({ status }) => status === 'queued'),
  );
}

interface Author {
  readonly id: number;
  /** The recruiter who wrote the communication. The event of its sending names this recruiter. */
  readonly author_id: number;
}

async function noteSettled(
  transaction: Transaction,
  change: 'sent' | 'failed',
  settled: readonly Author[],
): Promise<void> {
  for (const { id, author_id: recruiterId } of settled)
    await noteChanges(transaction, { root: communication.name, change, ids: [id], recruiterId });
}

/** Adds a history entry that has the id of the communication, but nothing of its content. */
const addSent = (
  transaction: Transaction,
  sent: { readonly id: number; readonly applicationId: number; readonly recruiterId: number },
): Promise<void> =>
  addHistory(transaction, {
    type: 'comm_sent',
    subjectType: 'application',
    subjectId: sent.applicationId,
    recruiterId: sent.recruiterId,
    changes: [{ path: '/communication', old: null, new: { id: sent.id } }],
  });
