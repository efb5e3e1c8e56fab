import { type Database, runStatement } from '@ats/postgres';
import { recordActivationMails } from './activation-mail.js';

/**
 * SQL that fails the e-mails of expired links. An e-mail with a lease is being sent. It fails only when both its link
 * and its lease have expired.
 */
const EXPIRE = `
UPDATE outgoing_mails m
SET status = 'failed', last_error = 'expired', sealed_token = NULL, finished_dt = clock_timestamp(),
  queued_dt = NULL, lease_until_dt = NULL, worker = NULL
FROM (
  SELECT m.id, a.user_id
  FROM account_activations a JOIN outgoing_mails m ON m.activation_id = a.id JOIN users u ON u.id = a.user_id
  WHERE a.expires_dt <= clock_timestamp()
    AND (m.status IN ('due', 'queued') OR (m.status = 'sending' AND m.lease_until_dt < clock_timestamp()))
  LIMIT $1 FOR NO KEY UPDATE OF m SKIP LOCKED FOR KEY SHARE OF u SKIP LOCKED) expired
WHERE m.id = expired.id
RETURNING m.activation_id, expired.user_id`;

/**
 * Fails queued e-mails whose activation links have expired, and blanks their tokens. It also works when no mail server
 * is configured.
 * @param limit  the maximum number of e-mails
 * @returns the ids of the activations of these e-mails
 */
export const failExpiredActivationMails = (database: Database, limit: number): Promise<readonly number[]> =>
  database.transaction(async (transaction) => {
    const rows = await runStatement<{ activation_id: number; user_id: number }>(transaction, EXPIRE, [limit]);
    await recordActivationMails(
      transaction,
      rows.map(({ user_id }) => user_id),
      'failed',
    );
    return rows.map(({ activation_id: id }) => id);
  });
