import { type Database } from '@ats/postgres';
import { expect } from '@jest/globals';

/** Returns a digest of the rows of each table, by table name. */
async function digests(database: Database): Promise<Readonly<Record<string, string>>> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const columns = tables.map(
    ({ name }) =>
      `(SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) FROM ${rowsOf(name)} t) AS "${name}"`,
  );
  const [row] = await database.query<Record<string, string>>(`SELECT ${columns.join(', ')}`);
  return row ?? {};
}

/**
 * SQL for the rows of the two tables that every request may change. It leaves out `last_used_dt` of credentials, and
 * the audit entries that are written in batches: reads, refusals and first uses.
 */
const ROWS: Readonly<Record<string, string>> = {
  credentials: `(SELECT to_jsonb(c) - 'last_used_dt' FROM credentials c)`,
  audit_entries: `(SELECT * FROM audit_entries
    WHERE action IN ('credential_created', 'credential_revoked', 'anonymised', 'settings_changed'))`,
};
const rowsOf = (table: string): string => ROWS[table] ?? table;

/** Runs `work`, and expects that it changes no row of any table. */
export async function expectNoTrace<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const before = await digests(database);
  const result = await work();
  expect(await digests(database)).toEqual(before);
  return result;
}
