interface Queryable {
  query(text: string, parameters?: readonly unknown[]): Promise<unknown>;
}

const FIRST = 'notification_deliveries_first';

/**
 * The migrations end the first partitions of the log of deliveries at the next midnight, and from then on the notifier makes
 * one for each day. Tests have no notifier as a rule, and may run at midnight: theirs last for another day.
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

/** Does something as if the first days of the log of deliveries were kept no more. */
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
