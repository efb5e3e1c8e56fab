import { type Database } from '@ats/postgres';
import { type MailJob } from './mail-job.js';

/** Number of hours for which an e-mail may wait for its first attempt. After that it is outdated and is not sent. */
export const EXPIRES_AFTER_HOURS = 72;

/**
 * SQL condition that is true for e-mails that have waited too long for their first attempt.
 * @param alias  SQL alias of `outgoing_mails`
 */
export const expiredCondition = (alias: string): string =>
  `${alias}.status = 'due' AND ${alias}.attempts = 0
    AND ${alias}.next_attempt_dt < now() - interval '${EXPIRES_AFTER_HOURS} hours'`;

const PICK = `
WITH picked AS (
  SELECT m.id, m.next_attempt_dt FROM outgoing_mails m
  WHERE m.status = 'due' AND m.next_attempt_dt <= now() AND NOT (${expiredCondition('m')})
  ORDER BY m.next_attempt_dt, m.id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
), queued AS (
  UPDATE outgoing_mails m SET status = 'queued', queued_dt = clock_timestamp()
  FROM picked WHERE m.id = picked.id
  RETURNING m.id, m.attempts, m.requeues, picked.next_attempt_dt
)
SELECT id AS "mailId", attempts, requeues FROM queued ORDER BY next_attempt_dt, id`;

/** Marks due e-mails as queued, oldest first. Several notifiers can call this at the same time. */
export const pickDueMails = (database: Database, capacity: number): Promise<MailJob[]> =>
  database.query<MailJob>(PICK, [capacity]);
