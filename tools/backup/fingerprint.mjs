// @ts-check
import pg from 'pg';

/**
 * Connects to a database, runs `work`, and closes the connection.
 * @template T @param {string} url @param {(client: pg.Client) => Promise<T>} work
 */
export async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const DEFINITIONS = `
SELECT 'index' AS kind, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) || indisvalid AS value FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid, true) || convalidated FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid, true) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function', oid::regprocedure::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'column', attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod) || attnotnull || coalesce(pg_get_expr(adbin, adrelid), '')
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'sequence', sequencename, concat_ws(' ', last_value, increment_by, cache_size, cycle) FROM pg_sequences WHERE schemaname = 'public'
ORDER BY 1, 2`;

/**
 * Describes the contents of a database as lines: the row count and checksum of each table, the position of each
 * sequence, and every definition.
 * @param {string} url
 * @returns {Promise<string[]>}
 */
export const fingerprint = (url) =>
  withClient(url, async (client) => {
    await client.query(`SET TimeZone = 'UTC'`);
    const lines = (await client.query(DEFINITIONS)).rows.map(({ kind, name, value }) => `${kind} ${name}: ${value}`);
    const tables = await client.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    for (const { name } of tables.rows) {
      const { rows } = await client.query(
        `SELECT count(*) AS count, md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS sum FROM ${client.escapeIdentifier(name)} t`,
      );
      lines.push(`rows of ${name}: ${rows[0].count} ${rows[0].sum}`);
    }
    return lines;
  });
