import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';
import { Database, type DatabaseOptions } from '../src/lib/database.js';

export { freePort, isFree } from './free-port.js';
export { TcpRelay } from './tcp-relay.js';

/** Returns the URL of a database on the server of this test run. */
export function databaseUrl(name: string): string {
  const url = new URL(administratorUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs `work` on a connection that may create and drop databases. */
export async function asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: administratorUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function administratorUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run this through `npm run with-services`');
  return url;
}

/** Closes all connections to the database and drops it. */
export const dropDatabase = (name: string): Promise<void> =>
  asAdministrator(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

/** Gives a spec file an empty database of its own. The URL and the connection are available only in tests and hooks. */
export function useEmptyDatabase(options: Pick<DatabaseOptions, 'poolSize' | 'idleInTransactionTimeoutMs'> = {}): {
  readonly url: string;
  readonly database: Database;
} {
  const name = `ats_empty_${randomBytes(6).toString('hex')}`;
  let database: Database | undefined;
  beforeAll(async () => {
    await asAdministrator((client) => client.query(`CREATE DATABASE ${name}`));
    database = await Database.connect({ url: databaseUrl(name), applicationName: 'spec', ...options });
  });
  afterAll(async () => {
    await database?.close();
    await dropDatabase(name);
  });
  return {
    get url() {
      return databaseUrl(name);
    },
    get database() {
      if (!database) throw new Error('the test database is available only inside tests and hooks');
      return database;
    },
  };
}
