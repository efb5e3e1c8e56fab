import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';
import { credential } from '../../objects/credential.model.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { type CredentialRights } from './credential-rights.js';
import { type LiveCredential, WRITER_SCOPES } from './revocation.js';

/** SQL condition that is true when the credential `alias` is neither revoked nor expired. */
const isLiveSql = (alias: string): string =>
  `${alias}.revoked_dt IS NULL AND (${alias}.expires_dt IS NULL OR ${alias}.expires_dt > now())`;

/**
 * SQL condition that is true when requests with the credential `alias` are accepted. The credential must be live, its
 * recruiter must be active, and so must the recruiter of each maker that is not revoked.
 * Source: docs/reference/authentication.md, "401 and 403".
 */
export const isWorkingSql = (alias: string): string => `(${isLiveSql(alias)}
  AND (SELECT bool_and(recruiter.is_active) FROM users recruiter
       WHERE recruiter.id = ANY (${alias}.recruiter_id || ARRAY(
         SELECT maker.recruiter_id FROM credentials maker
         WHERE maker.id = ANY (${alias}.maker_ids) AND maker.revoked_dt IS NULL))))`;

/** The credential of a request that changes credentials. */
export interface ActingCredential extends CredentialRights {
  readonly id: number;
  /** The makers of the credential that are not revoked. */
  readonly makerIds: readonly number[];
  readonly now: Date;
}

/**
 * Locks all credentials against other changes until the transaction ends. Otherwise two concurrent changes could break
 * a rule together, such as the rule that a credential must be left that can write credentials, although each change
 * alone keeps it.
 */
export async function lockCredentials(transaction: Transaction): Promise<void> {
  await runStatement(transaction, `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.credentials})`);
}

/**
 * Reads the credential of the request. Call this function after {@link lockCredentials}, because the credential may
 * have been revoked since the request was authenticated.
 * @returns null when the credential is no longer accepted
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
 * Counts for each maker the live credentials that it made, directly or through other credentials.
 * @returns the highest of these numbers
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
 * Reads the live credentials that a credential made, directly or through other credentials. It also finds credentials
 * that were not revoked together with their maker.
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

/** Reads the credentials that are accepted and can write credentials. */
export async function readWriters(transaction: Transaction): Promise<readonly LiveCredential[]> {
  const rows = await runStatement<LiveRow>(
    transaction,
    `SELECT c.id, c.scopes, c.expires_dt FROM credentials c WHERE c.scopes && $1::text[] AND ${isWorkingSql('c')}`,
    [WRITER_SCOPES],
  );
  return rows.map(toLive);
}

/** Revokes credentials. Their rows stay, so that earlier requests can still be traced to them. */
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
