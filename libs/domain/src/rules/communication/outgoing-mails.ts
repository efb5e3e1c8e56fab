import { notifyAfterCommit, runStatement, type Transaction } from '@ats/postgres';
import { getTransactionRequest } from '../../writing/event/transaction-request.js';

/**
 * The channel that wakes the notifier after the transaction of an e-mail commits. A lost wake-up only delays the
 * e-mail, because the notifier also polls.
 */
export const MAIL_CHANNEL = 'ats_outgoing_mails';

/**
 * Queues the e-mail of a communication, in the transaction of the communication. The notifier sends the e-mail after
 * the commit.
 */
export async function queueMail(transaction: Transaction, communicationId: number): Promise<void> {
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    `INSERT INTO outgoing_mails (communication_id, next_attempt_dt, request_id, traceparent)
     VALUES ($1, clock_timestamp(), $2, $3)`,
    [communicationId, requestId, traceparent],
  );
  notifyAfterCommit(transaction, MAIL_CHANNEL);
}

/**
 * Cancels the e-mails of these communications that have not been sent. An e-mail that is being sent at the moment may
 * still arrive. Also blanks the mail server's error texts in all e-mails of the communications, because such a text may
 * name the person. Lock order: communications before their e-mails. Deletion uses the same order.
 */
export async function cancelMails(transaction: Transaction, communicationIds: readonly number[]): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE outgoing_mails SET last_error = NULL,
       status = CASE WHEN status IN ('due', 'queued', 'sending') THEN 'cancelled' ELSE status END,
       finished_dt = coalesce(finished_dt, clock_timestamp())
     WHERE communication_id = ANY($1)`,
    [communicationIds],
  );
}
