import { runStatement, type Transaction } from '@ats/postgres';
import { addHistory } from '../history/history.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { touch } from '../../writing/write-object.js';
import { candidates } from '../../objects/user.model.js';
import { cancelActivationMails, queueActivationMail } from './activation-mail.js';
import { activationDigest, createActivationToken } from './activation-token.js';

/** How long a link works: a week of holidays, and not much longer. The contract is silent on it. */
export const ACTIVATION_DAYS = 7;
/** What has ended is of use to whoever is asked why a link did not work. */
const KEPT_DAYS = 30;
/** Rows past their time that each new one clears away. */
const CLEARED = 20;

/** @param alias of `account_activations` */
export const openActivation = (alias: string): string =>
  `(${alias}.used_dt IS NULL AND ${alias}.cancelled_dt IS NULL AND ${alias}.expires_dt > clock_timestamp())`;

/** Whom a link is for. */
export interface NewActivation {
  readonly userId: number;
  /** Of the e-mail, unless the candidate has a language. */
  readonly language: string;
}

/**
 * Sends a candidate who is `pending_activation` a link by e-mail, once the transaction is committed, instead of any sent before. The
 * candidate's row must be held.
 * @param secretBox  for `ACTIVATION_TOKEN_PURPOSE`
 * Source: CONTRACT.md 9, below 1.8.
 */
export async function startActivation(
  transaction: Transaction,
  { userId, language }: NewActivation,
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
  if (!row) throw new Error('an insert returned no row');
  await queueActivationMail(transaction, { activationId: row.id, token, secretBox });
}

/** The links that a candidate was sent work no longer, and one that is still to be sent is not. */
export async function cancelActivation(transaction: Transaction, userId: number): Promise<void> {
  await runStatement(
    transaction,
    'UPDATE account_activations SET cancelled_dt = clock_timestamp() WHERE user_id = $1 AND used_dt IS NULL AND cancelled_dt IS NULL',
    [userId],
  );
  await cancelActivationMails(transaction, userId);
}

/** Nothing is left of them. */
export async function deleteActivations(transaction: Transaction, userId: number): Promise<void> {
  await runStatement(transaction, 'DELETE FROM account_activations WHERE user_id = $1', [userId]);
}

/**
 * Makes the candidate active to whom the token was sent. It works once; of several at the same time one wins.
 * @param token        any text
 * @param recruiterId  who says so on the candidate's behalf; null when it is the candidate
 * @returns the candidate's id; null for a token that is unknown, used, cancelled or has expired
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
  // The candidate before the activation, as all who write both take them.
  const [user] = await runStatement<{ status: string }>(
    transaction,
    'SELECT status FROM users WHERE id = $1 FOR UPDATE',
    [found.user_id],
  );
  if (user?.status !== 'pending_activation') return null;
  const used = await runStatement(
    transaction,
    `UPDATE account_activations a SET used_dt = clock_timestamp() WHERE token_digest = $1 AND ${openActivation('a')} RETURNING id`,
    [digest],
  );
  if (used.length === 0) return null;
  await makeActive(transaction, found.user_id, recruiterId);
  return found.user_id;
}

async function makeActive(transaction: Transaction, userId: number, recruiterId: number | null): Promise<void> {
  await runStatement(transaction, `UPDATE users SET status = 'active' WHERE id = $1`, [userId]);
  await touch(transaction, candidates.type, userId);
  // One that has left and whose result could not be stored yet would be sent again.
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
  SELECT id FROM account_activations WHERE expires_dt < now() - interval '${KEPT_DAYS} days' LIMIT ${CLEARED} FOR UPDATE SKIP LOCKED)`;
