import { setTimeout as sleep } from 'node:timers/promises';
import { type Api } from '../support/api-harness.js';

/** Locks the table of job boards while `work` runs. Requests that read job boards then do not finish. */
export async function withLockedBoards({ database }: Api, work: () => Promise<void>): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE job_boards IN ACCESS EXCLUSIVE MODE');
    await work();
  });
}

/** Resolves when exactly `count` statements wait for the table of job boards. */
export const waitForBoards = ({ database }: Api, count: number): Promise<void> =>
  until(async () => {
    const [row] = await database.query<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_locks WHERE NOT granted AND relation = 'job_boards'::regclass
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return row?.waiting === count;
  });

/**
 * Waits for a condition.
 * @throws when it is not met within a minute
 */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await condition()); await sleep(5))
    if (Date.now() > deadline) throw new Error(`this did not become true within a minute: ${condition.toString()}`);
}
