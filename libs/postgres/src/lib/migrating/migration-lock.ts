import { ADVISORY_LOCKS } from '../advisory-locks.js';
import { type QueryRunner } from 'typeorm';

const PAUSE_MS = 100;

/**
 * Resolves when this connection holds the migration lock. It polls instead of waiting: a statement that waits would
 * hold a snapshot, and CREATE INDEX CONCURRENTLY in the process with the lock would wait for this snapshot.
 */
export async function acquireMigrationLock(runner: QueryRunner, say: (line: string) => void): Promise<void> {
  for (let tries = 0; !(await isMine(runner)); tries++) {
    if (tries === 0) say('another `migrate` is running: waiting for it');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function isMine(runner: QueryRunner): Promise<boolean> {
  const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS "isMine"', [ADVISORY_LOCKS.migrating])) as {
    readonly isMine: boolean;
  }[];
  return row?.isMine === true;
}

/** Releases the lock and keeps the connection. */
export async function releaseMigrationLock(runner: QueryRunner): Promise<void> {
  await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrating]);
}
