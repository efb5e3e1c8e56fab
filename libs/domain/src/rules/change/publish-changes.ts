import { ADVISORY_LOCKS, type Database } from '@ats/postgres';

const AT_ONCE = 10_000;

/**
 * Publishes all changes that are committed before the call: each gets its position in the feed. Any process may call it
 * at any time, because an advisory lock lets only one statement publish at a time. Changes that are committed during
 * the call do not prolong it.
 * @returns the number of recorded changes that were published
 */
export async function publishChanges(database: Pick<Database, 'query'>): Promise<number> {
  // Rows that another process is publishing at the moment are still visible here. So this process continues, and waits
  // for the commit of the other process.
  if ((await database.query('SELECT 1 AS one FROM change_inbox LIMIT 1')).length === 0) return 0;
  let amount = 0;
  for (;;) {
    const [row] = await database.query<{ amount: number }>('SELECT publish_changes($1, $2) AS amount', [
      ADVISORY_LOCKS.changes,
      AT_ONCE,
    ]);
    const taken = row?.amount ?? 0;
    amount += taken;
    if (taken < AT_ONCE) return amount;
  }
}

/**
 * Deletes the oldest changes when their storage period has ended.
 * @returns the number of deleted changes; call it again while the result equals `most`
 */
export async function deleteOldChanges(database: Database, keepDays: number, most: number): Promise<number> {
  const [row] = await database.query<{ amount: number }>(
    `WITH gone AS (
       DELETE FROM changes WHERE id IN (
         SELECT id FROM (SELECT id, published_dt FROM changes ORDER BY id LIMIT $1) AS oldest
         WHERE published_dt < clock_timestamp() - make_interval(days => $2))
       RETURNING id, published_dt
     ), noted AS (
       UPDATE change_feed SET deleted_id = greatest(deleted_id, g.id), complete_from_dt = greatest(complete_from_dt, g.dt)
       FROM (SELECT max(id) AS id, max(published_dt) AS dt FROM gone) AS g WHERE g.id IS NOT NULL
     )
     SELECT count(*)::integer AS amount FROM gone`,
    [most, keepDays],
  );
  return row?.amount ?? 0;
}
