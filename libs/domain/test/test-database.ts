import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { ADVISORY_LOCKS, Database, type DatabaseOptions, migrate } from '@ats/postgres';
import { asAdministrator, databaseUrl, dropDatabase } from '@ats/postgres/testing';
import { apiRole } from '../src/cli/api-role.js';
import { migrations } from '../src/migrations/index.js';
import { lengthenFirstDays } from './first-days.js';
import { installMovableClock, movableClockPath } from './movable-clock.js';

export { freePort, isFree, TcpRelay } from '@ats/postgres/testing';
export { APPEND_ONLY_TABLES } from '../src/cli/api-role.js';
export { Authority, type Certificate, selfSigned } from './certificates.js';
export { Dice, drawSeed } from './dice.js';
export { dirOfServers, KeptServers } from './kept-servers.js';
export { ReplicatedServer } from './replicated-server.js';
export { withoutFirstDays } from './first-days.js';
export { installMovableClock, moveClock, moveClockToNoon, stopClock } from './movable-clock.js';

export interface TestDatabase {
  /** The URL with which a client connects as the owner of the schema. */
  readonly url: string;
  /** The URL with which a client connects as the role of the API, which cannot change the schema. */
  readonly apiUrl: string;
  /** Ends all connections to the database and drops it. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** True when `moveClock` can move the clock of all connections. */
  readonly hasMovableClock?: boolean | undefined;
}

/** The database of a spec file. Its properties are available only inside tests and hooks. */
export interface UsedDatabase {
  readonly url: string;
  readonly database: Database;
}

/**
 * Gives a spec file its own database and a connection to it, from its first hook to its last. Other connections must be
 * closed in an `afterAll` that is declared before this call.
 */
export function useTestDatabase({
  hasMovableClock,
  ...options
}: TestDatabaseOptions & Pick<DatabaseOptions, 'entities' | 'poolSize'> = {}): UsedDatabase {
  let made: TestDatabase | undefined;
  let database: Database | undefined;
  const getMade = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('the test database is available only inside tests and hooks');
    return thing;
  };
  beforeAll(async () => {
    made = await createTestDatabase({ hasMovableClock });
    database = await Database.connect({ url: made.url, applicationName: 'spec', migrations, ...options });
  });
  afterAll(async () => {
    await database?.close();
    await made?.drop();
  });
  return {
    get url() {
      return getMade(made).url;
    },
    get database() {
      return getMade(database);
    },
  };
}

/**
 * Creates a database with all migrations for one spec file. It copies a template that the first call makes, so it takes
 * about 50 ms instead of seconds. `TEST_DATABASE_URL` names a server on which databases may be created.
 */
export async function createTestDatabase({ hasMovableClock = false }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const template = await ensureTemplate(hasMovableClock);
  const name = `ats_test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    if (hasMovableClock) await client.query(movableClockPath(name));
  });
  return {
    url: databaseUrl(name),
    apiUrl: asApiRole(databaseUrl(name)),
    drop: () => dropDatabase(name),
  };
}

async function ensureTemplate(hasMovableClock: boolean): Promise<string> {
  const name = `ats_template_${migrationsDigest()}${hasMovableClock ? '_clock' : ''}`;
  await asAdministrator(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.testTemplate]);
    if ((await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount) return;
    // The template gets its name only when it is complete. Until then, it has the name of a draft.
    const draft = `ats_draft_${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE DATABASE ${draft}`);
    if (hasMovableClock) await installMovableClock(client, draft, databaseUrl(draft));
    const database = await Database.connect({
      url: databaseUrl(draft),
      applicationName: 'ats-test-template',
      migrations,
      poolSize: 1,
    });
    try {
      await migrate(database.dataSource, { say: () => undefined, role: apiRole(asApiRole(databaseUrl(draft))) });
      await lengthenFirstDays(database);
    } finally {
      await database.close();
    }
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

/** Returns the URL with the role of the API. All test databases of a server have the same role. */
export const asApiRole = (url: string): string => Object.assign(new URL(url), { username: 'ats_test_api' }).href;

/** A digest of all migrations and grants, so that a server that is kept between runs never serves an old schema. */
function migrationsDigest(): string {
  const digest = createHash('sha256');
  const folder = join(__dirname, '../src/migrations');
  for (const file of readdirSync(folder).sort()) digest.update(readFileSync(join(folder, file)));
  digest.update(readFileSync(join(folder, '../cli/api-role.ts')));
  digest.update(readFileSync(join(__dirname, 'movable-clock.ts')));
  return digest.digest('hex').slice(0, 16);
}
