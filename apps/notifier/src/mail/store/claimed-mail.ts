import { openActivation, recordActivationMails } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { MAIL_LEASE_SECONDS, type MailJob } from './mail-job.js';

/** A row of `outgoing_mails` that one worker has claimed for one attempt. */
export interface ClaimedRow {
  readonly id: number;
  /** The id of the communication. Null for an activation e-mail and for an e-mail to the owner of an endpoint. */
  readonly communication_id: number | null;
  /** The part of the Message-ID before the `@`. */
  readonly message_id: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** `X-Request-Id` of the request that wrote the row. Null when no request did. */
  readonly request_id: string | null;
  /** Trace context of the request that wrote the row. */
  readonly traceparent: string | null;
}

/** A claimed e-mail with its text. */
export interface ClaimedMail extends ClaimedRow {
  readonly to: readonly string[];
  readonly subject: string | null;
  /** The body as HTML. */
  readonly body: string;
  readonly written_dt: Date;
}

/** A claimed activation e-mail. Its text is written only when it is sent. */
export interface ActivationMail extends ClaimedRow {
  readonly activation_id: number;
  readonly candidate_id: number;
  readonly sealed_token: Buffer;
  readonly to: readonly string[];
  /** The languages of the candidate and of the request, in this order. */
  readonly languages: readonly (string | null)[];
  readonly systemName: string;
  /** IANA name of the system's time zone. */
  readonly timeZone: string;
  /** The time when the link expires. */
  readonly expires: Date;
  readonly written_dt: Date;
}

export const isActivationMail = (mail: ClaimedRow): mail is ActivationMail => 'activation_id' in mail;

/** SQL assignments of a claim. $4 is the number of the worker. */
export const CLAIM_SETS = `status = 'sending', attempts = m.attempts + 1, queued_dt = NULL, worker = $4::text,
  lease_until_dt = clock_timestamp() + interval '${MAIL_LEASE_SECONDS} seconds'`;

/**
 * SQL condition that is true when the row belongs to the job. $1 to $3 are the id, attempts and requeues of the job.
 */
export const IS_OF_JOB = `m.id = $1 AND m.attempts = $2 AND m.requeues = $3 AND m.status = 'queued'`;

/**
 * SQL that claims an e-mail and reads its text in the same statement. So an e-mail that was cancelled before this
 * statement is not sent.
 */
const CLAIM = `
UPDATE outgoing_mails m
SET ${CLAIM_SETS}
FROM communications c
WHERE ${IS_OF_JOB} AND c.id = m.communication_id AND c.status = 'queued'
RETURNING m.id, m.communication_id, m.message_id, m.attempts, m.request_id, m.traceparent,
  c.to_addresses AS "to", c.subject, c.body, c.created_dt AS written_dt`;

/**
 * Claims the e-mail of a communication for one attempt. When several jobs name the same e-mail, only one of them gets
 * the claim.
 * @param worker  number of this worker, see `WorkerHeartbeat`
 * @returns null when the job is out of date, or the e-mail is claimed, finished, cancelled or deleted
 */
export async function claimMail(
  database: Database,
  { mailId, attempts, requeues }: MailJob,
  worker: number,
): Promise<ClaimedMail | null> {
  const [claimed] = await database.query<ClaimedMail>(CLAIM, [mailId, attempts, requeues, worker]);
  return claimed ?? null;
}

/** SQL condition that is true for activations whose link still works and whose candidate still needs it. */
const IS_OF_USE = `(${openActivation('a')} AND u.status = 'pending_activation')`;

const CLAIM_ACTIVATION = `
UPDATE outgoing_mails m
SET ${CLAIM_SETS}
FROM account_activations a, users u, (SELECT name, timezone FROM systems ORDER BY id LIMIT 1) s
WHERE ${IS_OF_JOB} AND a.id = m.activation_id AND u.id = a.user_id AND ${IS_OF_USE}
RETURNING m.id, m.communication_id, m.activation_id, m.message_id, m.attempts, m.request_id, m.traceparent,
  m.sealed_token, u.id AS candidate_id, ARRAY[u.email] AS "to", ARRAY[u.language, a.language] AS languages,
  s.name AS "systemName", s.timezone AS "timeZone", a.expires_dt AS expires, a.created_dt AS written_dt`;

/** SQL condition that is true for activations whose link has expired without being used or cancelled. */
const HAS_EXPIRED = '(a.used_dt IS NULL AND a.cancelled_dt IS NULL AND a.expires_dt <= clock_timestamp())';

const END_ACTIVATION = `
UPDATE outgoing_mails m SET sealed_token = NULL, queued_dt = NULL, finished_dt = clock_timestamp(),
  status = CASE WHEN ${HAS_EXPIRED} THEN 'failed' ELSE 'cancelled' END,
  last_error = CASE WHEN ${HAS_EXPIRED} THEN 'expired' ELSE m.last_error END
FROM account_activations a, users u
WHERE ${IS_OF_JOB} AND a.id = m.activation_id AND u.id = a.user_id AND NOT ${IS_OF_USE}
RETURNING m.status`;

/**
 * Claims an activation e-mail for one attempt, with the current address of the candidate. If the link has expired, the
 * e-mail fails. If the candidate no longer needs the link, the e-mail is cancelled.
 * @returns null when there is nothing to send
 */
export async function claimActivationMail(
  database: Database,
  { mailId, attempts, requeues }: MailJob,
  worker: number,
): Promise<ActivationMail | null> {
  const job = [mailId, attempts, requeues];
  const [claimed] = await database.query<ActivationMail>(CLAIM_ACTIVATION, [...job, worker]);
  if (!claimed) await database.transaction((transaction) => endActivationMail(transaction, mailId, job));
  return claimed ?? null;
}

async function endActivationMail(transaction: Transaction, mailId: number, job: readonly number[]): Promise<void> {
  const candidateId = await lockCandidate(transaction, mailId);
  const [ended] = await runStatement<{ status: string }>(transaction, END_ACTIVATION, job);
  if (candidateId !== undefined && ended?.status === 'failed')
    await recordActivationMails(transaction, [candidateId], 'failed');
}

/**
 * Locks the candidate of an activation e-mail against deletion until the transaction ends. Lock order: candidates
 * before e-mails.
 * @returns the candidate's id; undefined when the candidate or the e-mail no longer exists
 */
export async function lockCandidate(transaction: Transaction, mailId: number): Promise<number | undefined> {
  const [candidate] = await runStatement<{ id: number }>(
    transaction,
    `SELECT u.id FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id
       JOIN users u ON u.id = a.user_id
     WHERE m.id = $1 FOR KEY SHARE OF u`,
    [mailId],
  );
  return candidate?.id;
}
