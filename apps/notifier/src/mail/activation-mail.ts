import { openActivation, openActivationToken, type SecretBox, SecretBoxError } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { activationMessage, type ActivationWords } from './activation-message.js';
import { CLAIM_SETS, type ClaimedMail, type ClaimedRow, IS_OF_JOB } from './store/claimed-mail.js';
import { type MailJob } from './store/mail-job.js';

/** The e-mail that brings a candidate a link to activate the account, before it is written. */
export interface ActivationMail extends ClaimedRow, Omit<ActivationWords, 'link'> {
  readonly activation_id: number;
  readonly candidate_id: number;
  readonly sealed_token: Buffer;
  readonly to: readonly string[];
  readonly written_dt: Date;
}

export const isActivationMail = (mail: ClaimedRow): mail is ActivationMail => 'activation_id' in mail;

/** Whether it is still of use: @param activation,user  aliases of tables */
const isOfUse = (activation: string, user: string): string =>
  `(${openActivation(activation)} AND ${user}.status = 'pending_activation')`;

const CLAIM = `
UPDATE outgoing_mails m
SET ${CLAIM_SETS}
FROM account_activations a, users u, (SELECT name, timezone FROM systems ORDER BY id LIMIT 1) s
WHERE ${IS_OF_JOB} AND a.id = m.activation_id AND u.id = a.user_id AND ${isOfUse('a', 'u')}
RETURNING m.id, m.communication_id, m.activation_id, m.message_id, m.attempts, m.request_id, m.traceparent, m.sealed_token, u.id AS candidate_id, ARRAY[u.email] AS "to",
  ARRAY[u.language, a.language] AS languages, s.name AS "systemName", s.timezone AS "timeZone", a.expires_dt AS expires, a.created_dt AS written_dt`;

/** Its time has passed, and nobody has used it or taken it back: it has failed. */
const HAS_EXPIRED = '(a.used_dt IS NULL AND a.cancelled_dt IS NULL AND a.expires_dt <= clock_timestamp())';

const END = `
UPDATE outgoing_mails m SET sealed_token = NULL, queued_dt = NULL, finished_dt = clock_timestamp(),
  status = CASE WHEN ${HAS_EXPIRED} THEN 'failed' ELSE 'cancelled' END, last_error = CASE WHEN ${HAS_EXPIRED} THEN 'expired' ELSE m.last_error END
FROM account_activations a, users u
WHERE ${IS_OF_JOB} AND a.id = m.activation_id AND u.id = a.user_id AND NOT ${isOfUse('a', 'u')}`;

/**
 * Takes it for one attempt, to the address that the candidate has now. One whose link has expired is given up, one
 * whose candidate needs none any more is cancelled.
 * @returns null when there is nothing to do
 */
export async function claimActivationMail(
  database: Database,
  { mailId, attempts, requeues }: MailJob,
  worker: number,
): Promise<ActivationMail | null> {
  const job = [mailId, attempts, requeues];
  const [claimed] = await database.query<ActivationMail>(CLAIM, [...job, worker]);
  if (!claimed) await database.query(END, job);
  return claimed ?? null;
}

/** Writes them. What it has written goes to the mail server and nowhere else: the link is the candidate's key. */
export class ActivationMails {
  constructor(
    private readonly secretBox: SecretBox,
    /** Of the page that the link leads to. */
    private readonly activationUrl: string,
  ) {}

  /** @returns null when `SECRET_KEY` is not the one of whoever made the link */
  write(mail: ActivationMail): ClaimedMail | null {
    const token = this.open(mail);
    return token === null ? null : { ...mail, ...activationMessage({ ...mail, link: this.linkOf(token) }) };
  }

  private linkOf(token: string): string {
    const link = new URL(this.activationUrl);
    link.searchParams.set('token', token);
    return link.href;
  }

  private open({ sealed_token, activation_id }: ActivationMail): string | null {
    try {
      return openActivationToken(sealed_token, activation_id, this.secretBox);
    } catch (error) {
      if (error instanceof SecretBoxError) return null;
      throw error;
    }
  }
}
