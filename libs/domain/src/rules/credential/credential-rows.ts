import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';
import { credential } from '../../objects/credential.model.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { type CredentialRights } from './credential-rights.js';
import { type LiveCredential, WRITER_SCOPES } from './revocation.js';

/** SQL condition: the credential `alias` is neither revoked nor expired. */
const isLiveSql = (alias: string): string =>
  `${alias}.revoked_dt IS NULL AND (${alias}.expires_dt IS NULL OR ${alias}.expires_dt > now())`;

/**
 * SQL condition: requests with the credential `alias` are accepted. The credential is live, its recruiter is active, and
 * so are the recruiters of its makers, except revoked makers.
 * Source: docs/reference/authentication.md, "401 and 403".
 */
export const isWorkingSql = (alias: string): string => `(${isLiveSql(alias)}
  AND (SELECT bool_and(recruiter.is_active) FROM users recruiter
       WHERE recruiter.id = ANY (${alias}.recruiter_id || ARRAY(
         SELECT maker.recruiter_id FROM credentials maker
         WHERE maker.id = ANY (${alias}.maker_ids) AND maker.revoked_dt IS NULL))))`;

/** The acting credential of a change of credentials. */
export interface ActingCredential extends CredentialRights {
  readonly id: number;
  /** Its makers that are not revoked. */
  readonly makerIds: readonly number[];
  readonly now: Date;
}

/**
 * Locks the credentials against other changes until the transaction ends. Two changes could otherwise pass a rule that
 * their sum breaks.
 */
export async function lockCredentials(transaction: Transaction): Promise<void> {
  await runStatement(transaction, `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.credentials})`);
}

/**
 * Reads the acting credential after the lock, because it may have been revoked since the request was authenticated.
 * @returns null when the credential does not work any longer
 */
export async function readActingCredential(transaction: Transaction, id: number): Promise<ActingCredential | null> {
  const [row] = await runStatement<ActingRow>(
    transaction,
    `SELECT c.id, c.scopes, c.recruiter_id, c.expires_dt, c.allowed_cidrs, now() AS now,
       ARRAY(SELECT maker.id FROM credentials maker WHERE maker.id = ANY (c.maker_ids) AND maker.revoked_dt IS NULL)
         AS maker_ids
     FROM credentials c WHERE c.id = $1 AND ${isWorkingSql('c')}`,
    [id],
  );
  return row
    ? {
        id: row.id,
        scopes: row.scopes,
        recruiterId: row.recruiter_id,
        expiresDt: row.expires_dt,
        allowedCidrs: row.allowed_cidrs,
        makerIds: row.maker_ids.map(Number),
        now: row.now,
      }
    : null;
}

interface ActingRow {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly recruiter_id: number;
  readonly expires_dt: Date | null;
  readonly allowed_cidrs: readonly string[];
  readonly maker_ids: readonly (number | string)[];
  readonly now: Date;
}

interface LiveRow {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly expires_dt: Date | null;
}

const toLive = ({ id, scopes, expires_dt }: LiveRow): LiveCredential => ({ id, scopes, expiresDt: expires_dt });

/** True when the recruiter is active. */
export async function isActiveRecruiter(transaction: Transaction, id: number): Promise<boolean> {
  const rows = await runStatement(
    transaction,
    `SELECT FROM users WHERE id = $1 AND type = 'recruiter' AND is_active FOR SHARE`,
    [id],
  );
  return rows.length > 0;
}

/**
 * Counts the live credentials that each of the makers made, directly or through others.
 * @returns the greatest of the counts
 */
export async function countLiveChildren(transaction: Transaction, makerIds: readonly number[]): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    transaction,
    `SELECT coalesce(max(count), 0)::integer AS count
     FROM (SELECT count(*) FROM unnest($1::bigint[]) AS maker (id)
             JOIN credentials c ON maker.id = ANY (c.maker_ids) AND ${isLiveSql('c')}
           GROUP BY maker.id) AS counts`,
    [makerIds],
  );
  return row?.count ?? 0;
}

/**
 * Reads the live credentials that a credential made, directly or through others. Also finds credentials that were kept
 * when their maker was revoked.
 */
export async function readDescendants(transaction: Transaction, id: number): Promise<readonly LiveCredential[]> {
  const rows = await runStatement<LiveRow>(
    transaction,
    `WITH RECURSIVE made (id) AS (
       SELECT id FROM credentials WHERE created_by_id = $1
       UNION SELECT c.id FROM credentials c JOIN made ON c.created_by_id = made.id
     )
     SELECT c.id, c.scopes, c.expires_dt FROM made JOIN credentials c USING (id) WHERE ${isLiveSql('c')} ORDER BY c.id`,
    [id],
  );
  return rows.map(toLive);
}

/** Reads the credentials that work and can write credentials. */
export async function readWriters(transaction: Transaction): Promise<readonly LiveCredential[]> {
  const rows = await runStatement<LiveRow>(
    transaction,
    `SELECT c.id, c.scopes, c.expires_dt FROM credentials c WHERE c.scopes && $1::text[] AND ${isWorkingSql('c')}`,
    [WRITER_SCOPES],
  );
  return rows.map(toLive);
}

/** Revokes credentials. Keeps their rows, so that earlier requests can still be traced to them. */
export async function revokeRows(transaction: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    `UPDATE credentials SET revoked_dt = now(), updated_dt = now()
     WHERE id = ANY ($1::bigint[]) AND revoked_dt IS NULL RETURNING id`,
    [ids],
  );
  const revoked = rows.map(({ id }) => id).sort((a, b) => a - b);
  await noteChanges(transaction, { root: credential.name, change: 'revoke', ids: revoked });
  return revoked;
}
