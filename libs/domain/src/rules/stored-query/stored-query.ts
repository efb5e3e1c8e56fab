import { type Database } from '@ats/postgres';
import { type Condition } from '@ats/search-query';
import { personalTextsOf } from '../../privacy/personal-conditions.js';

/** A query is deleted when nobody has used it for this time. Source: docs/reference/paging.md, "Long queries". */
export const STORED_QUERY_DAYS = 7;
/** The time of the last use is at most this old, so that reads seldom write. */
const USE_NOTED_MINUTES = 60;

/** Names and values of query parameters, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

export interface StoredQuery {
  readonly handle: string;
  /** Text that identifies the collection. */
  readonly collection: string;
  readonly pairs: QueryPairs;
  /** The conditions of the query, in which anonymising looks for personal data. */
  readonly condition: Condition;
}

const IS_KEPT = `used_dt > now() - make_interval(days => ${STORED_QUERY_DAYS}, mins => ${USE_NOTED_MINUTES})`;
const IS_NOTED = `used_dt > now() - make_interval(mins => ${USE_NOTED_MINUTES})`;

/** Stores a query, or notes that it is used. Writes at most once an hour for each query. */
export async function keepQuery(
  database: Database,
  { handle, collection, pairs, condition }: StoredQuery,
): Promise<void> {
  const known = await database.query(`SELECT 1 FROM stored_queries WHERE handle = $1 AND ${IS_NOTED}`, [handle]);
  if (known.length > 0) return;
  const { values, parts } = personalTextsOf(condition);
  await database.query(
    `INSERT INTO stored_queries (handle, collection, parameters, personal_values, personal_parts)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (handle) DO UPDATE SET used_dt = now()`,
    [handle, collection, JSON.stringify(pairs), values.length > 0 ? values.join('\n') : null, parts],
  );
}

/** Finds a query, and notes that it is used. @returns undefined when the collection has no such query */
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

/** Deletes queries that nobody has used for `STORED_QUERY_DAYS`. @returns the number of deleted queries */
export async function deleteUnusedQueries(database: Database, limit: number): Promise<number> {
  const rows = await database.query(
    `DELETE FROM stored_queries WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM stored_queries WHERE NOT (${IS_KEPT}) LIMIT $1)) RETURNING 1`,
    [limit],
  );
  return rows.length;
}
