import { type Database } from '@ats/postgres';
import { MAIL_LEASE_SECONDS, type MailJob } from './mail-job.js';

/** The row of an e-mail that is somebody's for one attempt. */
export interface ClaimedRow {
  readonly id: number;
  /** Null of one that brings a link to activate an account. */
  readonly communication_id: number | null;
  /** Of its Message-ID. */
  readonly message_id: string;
  /** Number of this attempt, from 1: whoever claims it next has another. */
  readonly attempts: number;
  /** `X-Request-Id` of the request that wrote it; null when none did. */
  readonly request_id: string | null;
  /** Of the same. */
  readonly traceparent: string | null;
}

/** An e-mail as it leaves. */
export interface ClaimedMail extends ClaimedRow {
  readonly to: readonly string[];
  readonly subject: string | null;
  /** HTML. */
  readonly body: string;
  readonly written_dt: Date;
}

/** By comparing and setting: $4 is the worker. */
export const CLAIM_SETS = `status = 'sending', attempts = m.attempts + 1, queued_dt = NULL, worker = $4::text,
  lease_until_dt = clock_timestamp() + interval '${MAIL_LEASE_SECONDS} seconds'`;

/** $1 to $3 are those of the job. */
export const IS_OF_JOB = `m.id = $1 AND m.attempts = $2 AND m.requeues = $3 AND m.status = 'queued'`;

/** What it says is read by the same statement, so that nothing is sent of what was taken back before. */
const CLAIM = `
UPDATE outgoing_mails m
SET ${CLAIM_SETS}
FROM communications c
WHERE ${IS_OF_JOB} AND c.id = m.communication_id AND c.status = 'queued'
RETURNING m.id, m.communication_id, m.message_id, m.attempts, m.request_id, m.traceparent, c.to_addresses AS "to", c.subject, c.body, c.created_dt AS written_dt`;

/**
 * Takes the e-mail of a communication for one attempt: of any number of jobs for it, one gets it.
 * @param worker  number under which this process shows that it lives
 * @returns null when it is taken, finished, cancelled, deleted or further on: then there is nothing to do
 */
export async function claimMail(
  database: Database,
  { mailId, attempts, requeues }: MailJob,
  worker: number,
): Promise<ClaimedMail | null> {
  const [claimed] = await database.query<ClaimedMail>(CLAIM, [mailId, attempts, requeues, worker]);
  return claimed ?? null;
}
