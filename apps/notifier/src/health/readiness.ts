import { type Database } from '@ats/postgres';
import { type Queue } from 'bull';
import { type Readings } from '../metrics/readings.js';
import { readWarnings, type Warning } from './warnings.js';

export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  /** Each check is `ok` or says what is missing. */
  readonly checks: { readonly database: string; readonly migrations: string; readonly redis: string };
  /** Conditions that an operator should look at. They do not change the status. */
  readonly warnings: readonly Warning[];
}

const TIMEOUT_MS = 2_000;

/** A notifier is ready when the migrations have run and PostgreSQL and Redis answer. docs/reference/operations.md */
export async function checkReadiness(database: Database, queue: Queue, readings: Readings): Promise<Readiness> {
  const [migrations, redis, warnings] = await Promise.all([
    inTime(checkMigrations(database), 'unknown'),
    // In a Redis Cluster, this asks the node that holds the queue.
    inTime(
      queue.getWaitingCount().then(() => 'ok'),
      'does not answer',
    ),
    readWarnings(readings),
  ]);
  const checks = { database: migrations === 'unknown' ? 'does not answer' : 'ok', migrations, redis };
  return { status: Object.values(checks).every((text) => text === 'ok') ? 'ready' : 'not_ready', checks, warnings };
}

async function checkMigrations(database: Database): Promise<string> {
  const [table] = await database.query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const done = table?.exists ? await database.query<{ name: string }>('SELECT name FROM migrations') : [];
  const names = new Set(done.map(({ name }) => name));
  const missing = database.dataSource.migrations.filter(
    (migration) => !names.has(migration.name ?? migration.constructor.name),
  );
  return missing.length === 0 ? 'ok' : `${missing.length} to run`;
}

async function inTime(check: Promise<string>, otherwise: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), TIMEOUT_MS);
  });
  try {
    return await Promise.race([check, tooLate]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
