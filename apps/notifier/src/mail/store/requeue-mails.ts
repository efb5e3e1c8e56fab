import { markCommunicationFailed, recordActivationMails } from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';
import { expiredLeaseCondition } from '../../loops/worker-heartbeat.js';
import { CHECK_AFTER_MS, checkableJobCondition, SWEEP_BATCH_SIZE, type SweptTable } from '../../queues/sweep.js';
import { expiredCondition } from './due-mails.js';
import { MAIL_LEASE_SECONDS, type MailJob } from './mail-job.js';

export interface WaitingMail extends MailJob {
  readonly queuedMs: number;
}

/**
 * A job that has been in the queue for longer than this counts as lost, even when Bull still has it. All jobs that are
 * before it in the queue take less time in total.
 */
export const MAX_QUEUED_MS = 600_000;

/** Returns the functions that find and requeue orphaned e-mails. */
export const sweptMails = (database: Database): SweptTable<WaitingMail> => ({
  async requeueExpired() {
    const rows = await database.query(REQUEUE_EXPIRED, [SWEEP_BATCH_SIZE]);
    return rows.length;
  },
  findQueued: () => database.query<WaitingMail>(QUEUED, [CHECK_AFTER_MS, MAX_QUEUED_MS, SWEEP_BATCH_SIZE]),
  async requeueLost(lost) {
    const rows = await database.query(REQUEUE_LOST, [
      lost.map(({ mailId }) => mailId),
      lost.map(({ attempts }) => attempts),
      lost.map(({ requeues }) => requeues),
    ]);
    return rows.length;
  },
});

/**
 * Fails e-mails of communications that have been due for too long without an attempt. Also fails their communications.
 * @returns the number of failed e-mails, at most one batch
 */
export const expireMails = (database: Database): Promise<number> =>
  database.transaction(async (transaction) => {
    const rows = await runStatement<{ communication_id: number }>(transaction, EXPIRE, [SWEEP_BATCH_SIZE]);
    for (const { communication_id: id } of rows) await markCommunicationFailed(transaction, id, 'expired');
    return rows.length;
  });

/**
 * Fails activation e-mails that have been due for too long without an attempt. Deletes their tokens.
 * @returns the ids of the activations of these e-mails, at most one batch
 */
export const expireActivationMails = (database: Database): Promise<readonly number[]> =>
  database.transaction(async (transaction) => {
    const rows = await runStatement<{ activation_id: number; user_id: number }>(transaction, EXPIRE_ACTIVATIONS, [
      SWEEP_BATCH_SIZE,
    ]);
    await recordActivationMails(
      transaction,
      rows.map(({ user_id }) => user_id),
      'failed',
    );
    return rows.map(({ activation_id: id }) => id);
  });

/**
 * Fails e-mails to owners that are due for too long without an attempt.
 * @returns the number of failed e-mails, one batch at most
 */
export async function expireAlertMails(database: Database): Promise<number> {
  return (await database.query(EXPIRE_ALERTS, [SWEEP_BATCH_SIZE])).length;
}

const LEASE = { until: 'm.lease_until_dt', worker: 'm.worker::bigint', seconds: MAIL_LEASE_SECONDS };
const EXPIRED_LEASE = `m.status = 'sending' AND ${expiredLeaseCondition(LEASE)}`;

/**
 * SQL that requeues e-mails with an expired lease. The interrupted attempt counts, because the server may have the
 * e-mail.
 */
const REQUEUE_EXPIRED = `
UPDATE outgoing_mails m SET status = 'due', next_attempt_dt = clock_timestamp(), last_error = 'interrupted',
  lease_until_dt = NULL, worker = NULL
WHERE m.id IN (SELECT m.id FROM outgoing_mails m WHERE ${EXPIRED_LEASE} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.id`;

const QUEUED = `
SELECT m.id AS "mailId", m.attempts, m.requeues,
  (extract(epoch FROM clock_timestamp() - m.queued_dt) * 1000)::double precision AS "queuedMs"
FROM outgoing_mails m
WHERE ${checkableJobCondition('m.', '$1', '$2')}
ORDER BY m.queued_dt LIMIT $3`;

/** SQL that requeues e-mails with a lost job. Their due time does not change, so that they keep their position. */
const REQUEUE_LOST = `
UPDATE outgoing_mails m SET status = 'due', queued_dt = NULL, requeues = m.requeues + 1
FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS lost (id, attempts, requeues)
WHERE m.id = lost.id AND m.attempts = lost.attempts AND m.requeues = lost.requeues AND m.status = 'queued'
RETURNING m.id`;

/**
 * SQL that fails expired e-mails and locks their communications. It skips locked rows, so that other e-mails need not
 * wait for them.
 */
const EXPIRE = `
UPDATE outgoing_mails m SET status = 'failed', finished_dt = clock_timestamp()
WHERE m.id IN (
  SELECT m.id FROM outgoing_mails m JOIN communications c ON c.id = m.communication_id
  WHERE ${expiredCondition('m')} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.communication_id`;

const EXPIRE_ALERTS = `
UPDATE outgoing_mails m SET status = 'failed', finished_dt = clock_timestamp(), last_error = 'expired'
WHERE m.id IN (
  SELECT m.id FROM outgoing_mails m WHERE m.subscription_id IS NOT NULL AND ${expiredCondition('m')}
  LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING m.id`;

const EXPIRE_ACTIVATIONS = `
UPDATE outgoing_mails m SET status = 'failed', finished_dt = clock_timestamp(), last_error = 'expired',
  sealed_token = NULL
FROM (
  SELECT m.id, u.id AS user_id
  FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id JOIN users u ON u.id = a.user_id
  WHERE ${expiredCondition('m')} LIMIT $1 FOR NO KEY UPDATE OF m SKIP LOCKED FOR KEY SHARE OF u SKIP LOCKED) expired
WHERE m.id = expired.id
RETURNING m.activation_id, expired.user_id`;
