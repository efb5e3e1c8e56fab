// @ts-check

/**
 * Drops the secondary indexes and foreign keys of tables during a large load. Building an index and checking references
 * once for all rows is much faster than row by row. `restore` recreates them with the same names and definitions.
 * Primary keys and unique constraints stay.
 * @param {import('pg').Client} client in a transaction
 * @param {readonly string[]} tables
 * @returns {Promise<{ restore: (report: (what: string) => void) => Promise<void> }>}
 */
export async function dropIndexes(client, tables) {
  const { rows: keys } = await client.query(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[]) ORDER BY conrelid::regclass::text, conname`,
    [tables],
  );
  const { rows: indexes } = await client.query(
    `SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = ANY($1::regclass[])
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
     ORDER BY 1, 2`,
    [tables],
  );
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return {
    async restore(report) {
      // PostgreSQL builds indexes on texts several times faster with this much memory.
      await client.query(`SET LOCAL maintenance_work_mem = '1GB'`);
      for (const { name, definition } of indexes) {
        report(name);
        await client.query(definition);
      }
      for (const { table, name, definition } of keys) {
        report(name);
        await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      }
    },
  };
}
