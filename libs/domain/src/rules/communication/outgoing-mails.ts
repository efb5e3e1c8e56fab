import { notifyAfterCommit, runStatement, type Transaction } from '@ats/postgres';
import { getTransactionRequest } from '../event/transaction-request.js';

/** The channel on which the notifier is woken, once the transaction of a message has been committed. Only a hint. */
export const MAIL_CHANNEL = 'ats_outgoing_mails';

/** Lets a communication leave as an e-mail, in the transaction that wrote it: the notifier sends it after the commit. */
export async function queueMail(transaction: Transaction, communicationId: number): Promise<void> {
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    'INSERT INTO outgoing_mails (communication_id, next_attempt_dt, request_id, traceparent) VALUES ($1, clock_timestamp(), $2, $3)',
    [communicationId, requestId, traceparent],
  );
  notifyAfterCommit(transaction, MAIL_CHANNEL);
}

/**
 * What has not left by now never does, and no log tells what the mail server said of the person. What is being sent at this moment
 * may have left all the same. Who may wait for rows that others hold takes communications before their e-mails, as deleting does.
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
