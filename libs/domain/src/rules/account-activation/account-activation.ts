import { runStatement, type Transaction } from '@ats/postgres';
import { rowsOf } from '../../reading/rows-of.js';
import { rememberFormerValues } from '../../writing/event/former-values.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { addHistory } from '../history/history.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { candidates } from '../../objects/user.model.js';
import { cancelActivationMails, queueActivationMail, recordActivationMails } from './activation-mail.js';
import { activationDigest, createActivationToken } from './activation-token.js';

/** Days until a link expires: long enough for a week of holidays. */
export const ACTIVATION_DAYS = 7;
/** Days for which an expired activation stays stored, so that support can see why a link did not work. */
const KEPT_DAYS = 30;
/** Maximum number of old activations that the creation of a new one deletes. */
const CLEARED = 20;

/**
 * SQL condition that is true when the activation is neither used, cancelled nor expired.
 * @param alias  alias of the row of `account_activations`
 */
export const openActivation = (alias: string): string =>
  `(${alias}.used_dt IS NULL AND ${alias}.cancelled_dt IS NULL AND ${alias}.expires_dt > clock_timestamp())`;

/** The candidate who gets an activation link. */
export interface NewActivation {
  readonly userId: number;
  /** The language of the e-mail for a candidate without a language. */
  readonly language: string;
  /** The recruiter who requests the e-mail; null when the service sends it by itself. */
  readonly recruiterId: number | null;
  /** True when the same transaction creates the candidate. The history entry `created` then also records the e-mail. */
  readonly isNew?: boolean;
}

/**
 * Queues an e-mail with an activation link for a candidate whose status is `pending_activation`. The e-mail is sent
 * after the commit. The candidate's earlier links stop working. The candidate's history gets an entry, even when no
 * mail server is configured. The caller must hold a lock on the candidate's row.
 * @param secretBox  encrypts tokens; its purpose must be `ACTIVATION_TOKEN_PURPOSE`
 * Source: docs/reference/communications.md, "Account activation".
 */
export async function startActivation(
  transaction: Transaction,
  { userId, language, recruiterId, isNew = false }: NewActivation,
  secretBox: SecretBox,
): Promise<void> {
  await cancelActivation(transaction, userId);
  await runStatement(transaction, CLEAR);
  const token = createActivationToken();
  const [row] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO account_activations (user_id, token_digest, language, created_dt, expires_dt)
     VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(days => $4)) RETURNING id`,
    [userId, activationDigest(token), language, ACTIVATION_DAYS],
  );
  if (!row) throw new Error('INSERT INTO account_activations returned no row');
  await queueActivationMail(transaction, { activationId: row.id, token, secretBox });
  if (!isNew) await recordActivationMails(transaction, [userId], 'queued', recruiterId);
}

/**
 * Maximum number of links that a person gets in `LINKS_WINDOW_S` seconds: the first link after the creation of the
 * candidate, and one more.
 */
const LINKS_IN_WINDOW = 2;
const LINKS_WINDOW_S = 60;

/**
 * Returns how many seconds must pass before the person may get another link: at least 1, or 0 when a link may be sent
 * now. The caller must hold a lock on the candidate's row. Source: docs/reference/communications.md, "Account
 * activation".
 */
export async function secondsUntilNextLink(transaction: Transaction, userId: number): Promise<number> {
  const [row] = await runStatement<{ seconds: number }>(
    transaction,
    `SELECT ceil(extract(epoch FROM created_dt + make_interval(secs => $2) - clock_timestamp()))::integer AS seconds
     FROM account_activations WHERE user_id = $1 AND created_dt > clock_timestamp() - make_interval(secs => $2)
     ORDER BY created_dt DESC OFFSET $3 LIMIT 1`,
    [userId, LINKS_WINDOW_S, LINKS_IN_WINDOW - 1],
  );
  return row ? Math.max(1, row.seconds) : 0;
}

/** Cancels the candidate's links and their e-mails that have not been sent. */
export async function cancelActivation(transaction: Transaction, userId: number): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE account_activations SET cancelled_dt = clock_timestamp()
     WHERE user_id = $1 AND used_dt IS NULL AND cancelled_dt IS NULL`,
    [userId],
  );
  await cancelActivationMails(transaction, userId);
}

/**
 * Deletes all activations of a user.
 * @returns the number of deleted activations
 */
export async function deleteActivations(transaction: Transaction, userId: number): Promise<number> {
  const rows = await runStatement(transaction, 'DELETE FROM account_activations WHERE user_id = $1 RETURNING user_id', [
    userId,
  ]);
  return rows.length;
}

/**
 * Activates the candidate to whom the token was sent. A token works only once, even when several calls use it at the
 * same time.
 * @param token  any text
 * @param recruiterId  the recruiter who acts for the candidate; null when the candidate acts
 * @returns the candidate's id. Null for a token that is unknown, used, cancelled or expired, or when the candidate's
 *   status is not `pending_activation`
 * Source: docs/reference/communications.md, "Account activation".
 */
export async function activateAccount(
  transaction: Transaction,
  token: string,
  recruiterId: number | null,
): Promise<number | null> {
  const digest = activationDigest(token);
  const [found] = await runStatement<{ user_id: number }>(
    transaction,
    'SELECT user_id FROM account_activations WHERE token_digest = $1',
    [digest],
  );
  if (!found) return null;
  // Lock order: the candidate before the activation. All transactions use this order.
  const [user] = await runStatement<{ status: string }>(
    transaction,
    'SELECT status FROM users WHERE id = $1 FOR UPDATE',
    [found.user_id],
  );
  if (user?.status !== 'pending_activation') return null;
  const used = await runStatement(
    transaction,
    `UPDATE account_activations a SET used_dt = clock_timestamp()
     WHERE token_digest = $1 AND ${openActivation('a')} RETURNING id`,
    [digest],
  );
  if (used.length === 0) return null;
  await makeActive(transaction, found.user_id, recruiterId);
  return found.user_id;
}

async function makeActive(transaction: Transaction, userId: number, recruiterId: number | null): Promise<void> {
  await rememberFormerValues(transaction, { root: candidates.type.name, ids: [userId] });
  await rowsOf<{ id: number; status: string; updated_dt: Date }>(transaction, candidates.type).update(
    { id: userId },
    { status: 'active', updated_dt: () => 'clock_timestamp()' },
  );
  await noteChanges(transaction, { root: candidates.type.name, change: 'update', ids: [userId], recruiterId });
  // Cancels the e-mails, too. An e-mail that was sent, but whose result is not stored yet, would otherwise be sent
  // again.
  await cancelActivationMails(transaction, userId);
  const change = { path: '/status', old: 'pending_activation', new: 'active' };
  await addHistory(transaction, {
    type: 'field_change',
    subjectType: 'candidate',
    subjectId: userId,
    recruiterId,
    changes: [change],
  });
}

const CLEAR = `
DELETE FROM account_activations WHERE id IN (
  SELECT id FROM account_activations WHERE expires_dt < now() - interval '${KEPT_DAYS} days'
  LIMIT ${CLEARED} FOR UPDATE SKIP LOCKED)`;
