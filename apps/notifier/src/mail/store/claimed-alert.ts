import { ALERTED_OWNER, type AlertType } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { CLAIM_SETS, type ClaimedRow, IS_OF_JOB } from './claimed-mail.js';
import { type MailJob } from './mail-job.js';

/** An e-mail to the owner of an endpoint. Its text is written when it is sent. */
export interface AlertMail extends ClaimedRow {
  readonly alert_type: AlertType;
  readonly subscription_id: number;
  readonly topic_id: number;
  readonly endpoint_name: string;
  readonly to: readonly string[];
  /** Languages of the owner and of the system, in this order. */
  readonly languages: readonly (string | null)[];
  readonly written_dt: Date;
}

export const isAlertMail = (mail: ClaimedRow): mail is AlertMail => 'alert_type' in mail;

/**
 * SQL condition that is false when an e-mail would report a disabled subscription that has been enabled again
 * meanwhile.
 */
const IS_TRUE = `(m.alert_type <> 'SUBSCRIPTION_DISABLED' OR s.disabled_dt IS NOT NULL)`;

const CLAIM_ALERT = `
UPDATE outgoing_mails m SET ${CLAIM_SETS}
FROM ${ALERTED_OWNER}, (SELECT default_language FROM systems ORDER BY id LIMIT 1) y
WHERE ${IS_OF_JOB} AND s.id = m.subscription_id AND ${IS_TRUE}
RETURNING m.id, m.communication_id, m.alert_type, m.subscription_id, m.message_id, m.attempts, m.request_id,
  m.traceparent, s.topic_id, e.name AS endpoint_name, ARRAY[u.email] AS "to",
  ARRAY[u.language, y.default_language] AS languages, m.created_dt AS written_dt`;

/**
 * SQL that cancels an e-mail in three cases: its content is no longer true, its endpoint no longer asks for e-mails, or
 * its endpoint has no active owner.
 */
const CANCEL_ALERT = `
UPDATE outgoing_mails m SET status = 'cancelled', queued_dt = NULL, finished_dt = clock_timestamp()
WHERE ${IS_OF_JOB} AND m.subscription_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM ${ALERTED_OWNER} WHERE s.id = m.subscription_id AND ${IS_TRUE})`;

/**
 * Claims an e-mail to the owner of an endpoint for one attempt, with the present address of the owner.
 * @returns null when there is nothing to send
 */
export async function claimAlertMail(
  database: Database,
  { mailId, attempts, requeues }: MailJob,
  worker: number,
): Promise<AlertMail | null> {
  const job = [mailId, attempts, requeues];
  const [claimed] = await database.query<AlertMail>(CLAIM_ALERT, [...job, worker]);
  if (!claimed) await database.query(CANCEL_ALERT, job);
  return claimed ?? null;
}
