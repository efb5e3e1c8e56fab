interface Queryable {
  query(text: string, parameters?: readonly unknown[]): Promise<unknown>;
}

const FIRST = 'notification_deliveries_first';

/**
 * Extends the first partitions of the delivery log by one day. Migrations end them at the next midnight, and the
 * notifier creates a partition for each later day. Tests usually have no notifier, and may run at midnight.
 */
export async function lengthenFirstDays(database: Queryable): Promise<void> {
  for (const table of ['notification_deliveries', 'notification_attempts']) {
    await database.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_first`);
    await database.query(`
      DO $$ BEGIN
        EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO (%L)',
          to_char(date_trunc('day', now() AT TIME ZONE 'UTC') + interval '2 days', 'YYYY-MM-DD"T"00:00:00"Z"'));
      END $$`);
  }
}

/**
 * Runs `work` while the first partition of deliveries is detached, as if the deliveries of its days had been deleted.
 */
export async function withoutFirstDays<T>(database: Queryable, work: () => Promise<T>): Promise<T> {
  const rows = (await database.query(
    'SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class WHERE relname = $1',
    [FIRST],
  )) as { bounds: string }[];
  await database.query(`ALTER TABLE notification_deliveries DETACH PARTITION ${FIRST}`);
  try {
    return await work();
  } finally {
    await database.query(`ALTER TABLE notification_deliveries ATTACH PARTITION ${FIRST} ${rows[0]?.bounds ?? ''}`);
  }
}
