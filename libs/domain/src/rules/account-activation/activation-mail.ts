import { MAIL_CHANNEL } from '../communication/outgoing-mails.js';
import { QUEUED_MAIL } from '../candidate/add-candidate.js';
import { addHistoryOfMany } from '../history/history.js';
import { notifyAfterCommit, runStatement, type Transaction } from '@ats/postgres';
import { getTransactionRequest } from '../../writing/event/transaction-request.js';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';

/** The purpose of the key that encrypts activation tokens in queued e-mails. The key is derived from `SECRET_KEY`. */
export const ACTIVATION_TOKEN_PURPOSE = 'account-activation-tokens';

const contextOf = (activationId: unknown): string => `activation:${String(activationId)}`;

export const ACTIVATION_TOKEN_COLUMN: SealedColumn = {
  table: 'outgoing_mails',
  column: 'sealed_token',
  purpose: ACTIVATION_TOKEN_PURPOSE,
  primaryKey: { id: 'bigint' },
  owner: 'activation_id',
  contextOf: (row) => contextOf(row['activation_id']),
};

/** States of an activation e-mail that the history of its candidate shows. */
export type ActivationMailStatus = 'queued' | 'sent' | 'failed';

/**
 * Records the new state of activation e-mails in the histories of their candidates. The caller must hold a lock on each
 * candidate's row, so that no candidate is deleted meanwhile.
 * @param recruiterId  the recruiter who requested the e-mail; null when the service changed the state
 * Source: docs/reference/history.md, "Entry types".
 */
export const recordActivationMails = (
  transaction: Transaction,
  userIds: readonly number[],
  status: ActivationMailStatus,
  recruiterId: number | null = null,
): Promise<void> =>
  addHistoryOfMany(
    transaction,
    userIds.map((subjectId) => ({
      type: status === 'sent' ? 'comm_sent' : 'field_change',
      subjectType: 'candidate',
      subjectId,
      recruiterId,
      changes: [status === 'queued' ? QUEUED_MAIL : { ...QUEUED_MAIL, old: 'queued', new: status }],
    })),
  );

export interface NewActivationMail {
  readonly activationId: number;
  readonly token: string;
  readonly secretBox: SecretBox;
}

/**
 * Queues the e-mail of an activation, in the transaction that creates the activation. The notifier writes and sends the
 * e-mail after the commit.
 */
export async function queueActivationMail(
  transaction: Transaction,
  { activationId, token, secretBox }: NewActivationMail,
): Promise<void> {
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    `INSERT INTO outgoing_mails (activation_id, sealed_token, next_attempt_dt, request_id, traceparent)
     VALUES ($1, $2, clock_timestamp(), $3, $4)`,
    [activationId, secretBox.seal(token, contextOf(activationId)), requestId, traceparent],
  );
  notifyAfterCommit(transaction, MAIL_CHANNEL);
}

/**
 * Decrypts the token of a queued e-mail.
 * @throws {SecretBoxError} when the token was encrypted with another `SECRET_KEY`
 */
export const openActivationToken = (sealed: Buffer, activationId: number, secretBox: SecretBox): string =>
  secretBox.open(sealed, contextOf(activationId));

/**
 * Cancels the user's activation e-mails that have not been sent. An e-mail that is being sent at the moment may still
 * arrive.
 */
export async function cancelActivationMails(transaction: Transaction, userId: number): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE outgoing_mails m
     SET status = 'cancelled', sealed_token = NULL, last_error = NULL, finished_dt = clock_timestamp()
     FROM account_activations a
     WHERE m.activation_id = a.id AND a.user_id = $1 AND m.status IN ('due', 'queued', 'sending')`,
    [userId],
  );
}
