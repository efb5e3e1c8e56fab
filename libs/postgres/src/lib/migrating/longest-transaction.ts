import { type QueryRunner } from 'typeorm';

/**
 * Describes the longest running transaction of this database. A migration that waits for a lock probably waits for this
 * transaction.
 */
export async function findLongest(runner: QueryRunner): Promise<string> {
  const [found] = (await runner.query(
    `SELECT pid, coalesce(nullif(application_name, ''), 'unnamed') AS application, state,
       round(extract(epoch FROM clock_timestamp() - xact_start)) AS seconds
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
  )) as { readonly pid: number; readonly application: string; readonly state: string; readonly seconds: number }[];
  return found ? `${found.application} (pid ${found.pid}, ${found.state}, for ${found.seconds} s)` : 'none any more';
}
