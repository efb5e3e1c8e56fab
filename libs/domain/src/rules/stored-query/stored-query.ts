import { type Database } from '@ats/postgres';
import { type Condition } from '@ats/search-query';
import { personalTextsOf } from './personal-texts.js';

/**
 * A stored query is deleted when nobody has used it for this time. Source: docs/reference/paging.md, "Long queries".
 */
export const STORED_QUERY_DAYS = 7;
/** The stored time of the last use may be this many minutes too early, so that most uses of a query need no write. */
const USE_NOTED_MINUTES = 60;

/** Names and values of query parameters, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

export interface StoredQuery {
  readonly handle: string;
  /** Text that identifies the collection which the query is for. */
  readonly collection: string;
  readonly pairs: QueryPairs;
  /** The credential of the request. If the query is new, it counts towards the storage of this credential. */
  readonly credentialId: number;
  /** The conditions of the query. Anonymising searches them for personal data. */
  readonly condition: Condition;
}

const IS_KEPT = `used_dt > now() - make_interval(days => ${STORED_QUERY_DAYS}, mins => ${USE_NOTED_MINUTES})`;
const IS_NOTED = `used_dt > now() - make_interval(mins => ${USE_NOTED_MINUTES})`;

/**
 * Stores a query or, if it is stored already, the time of its use. Writes at most once an hour for each query.
 * @returns true when it has written to the database
 */
export async function keepQuery(
  database: Database,
  { handle, collection, pairs, credentialId, condition }: StoredQuery,
): Promise<boolean> {
  const known = await database.query(`SELECT 1 FROM stored_queries WHERE handle = $1 AND ${IS_NOTED}`, [handle]);
  if (known.length > 0) return false;
  const { values, parts } = personalTextsOf(condition);
  await database.query(
    `INSERT INTO stored_queries (handle, collection, parameters, credential_id, personal_values, personal_parts)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (handle) DO UPDATE SET used_dt = now()`,
    [handle, collection, JSON.stringify(pairs), credentialId, values.length > 0 ? values.join('\n') : null, parts],
  );
  return true;
}

/**
 * Deletes queries of a credential until the others have at most `maxBytes`. Begins with the query that has not been
 * used for the longest time.
 */
export async function deleteSurplusQueries(database: Database, credentialId: number, maxBytes: number): Promise<void> {
  await database.query(
    `DELETE FROM stored_queries WHERE handle IN (
       SELECT handle FROM (
         SELECT handle, sum(bytes) OVER (ORDER BY used_dt DESC, handle) AS total
         FROM stored_queries WHERE credential_id = $1) recent
       WHERE total > $2)`,
    [credentialId, maxBytes],
  );
}

/**
 * Finds a query and stores the time of its use.
 * @returns undefined when the collection has no such query
 */
export async function findQuery(
  database: Database,
  { handle, collection }: Pick<StoredQuery, 'handle' | 'collection'>,
): Promise<QueryPairs | undefined> {
  const [row] = await database.query<{ parameters: string; is_noted: boolean }>(
    `SELECT parameters, ${IS_NOTED} AS is_noted FROM stored_queries
     WHERE handle = $1 AND collection = $2 AND ${IS_KEPT}`,
    [handle, collection],
  );
  if (!row) return undefined;
  if (!row.is_noted) await database.query('UPDATE stored_queries SET used_dt = now() WHERE handle = $1', [handle]);
  return JSON.parse(row.parameters) as QueryPairs;
}

/**
 * Deletes queries that nobody has used for `STORED_QUERY_DAYS`.
 * @returns the number of deleted queries
 */
export async function deleteUnusedQueries(database: Database, limit: number): Promise<number> {
  const rows = await database.query(
    `DELETE FROM stored_queries WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM stored_queries WHERE NOT (${IS_KEPT}) LIMIT $1)) RETURNING 1`,
    [limit],
  );
  return rows.length;
}
