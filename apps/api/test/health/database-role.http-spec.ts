import { APPEND_ONLY_TABLES } from '@ats/domain/testing';
import { Database } from '@ats/postgres';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';

const { api } = useApi();
let own: Database;

beforeAll(async () => {
  own = api.app.get(Database);
  await api.database.query(`CREATE TABLE kept (id bigint)`);
});

const readiness = async (one: Api): Promise<unknown> =>
  (await one.request('GET', '/health/ready', { token: null })).json;
const warningsIn = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.includes('can change the schema'));
const DENIED = { code: '42501' };

describe('the database role of the API', () => {
  test.each([
    'CREATE TABLE added (id bigint)',
    'CREATE SCHEMA added',
    'CREATE FUNCTION added() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE VIEW added AS SELECT 1',
    'CREATE INDEX ix_added ON users (firstname)',
    'ALTER TABLE users ADD COLUMN added text',
    'ALTER TABLE users DISABLE TRIGGER ALL',
    'DROP TABLE users',
    'TRUNCATE users CASCADE',
    `COMMENT ON TABLE users IS 'added'`,
    `UPDATE migrations SET name = 'added'`,
    'DELETE FROM migrations',
    `SELECT setval('users_id_seq', 1)`,
    'SELECT FROM kept',
  ])('is not allowed to: %s', async (statement) => {
    await expect(own.query(statement)).rejects.toMatchObject(DENIED);
  });

  test('may neither change nor delete rows of append-only tables', async () => {
    for (const table of APPEND_ONLY_TABLES) {
      await own.query(`SELECT FROM ${table} LIMIT 1`);
      for (const statement of [`UPDATE ${table} SET id = id`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
        await expect(own.query(statement)).rejects.toMatchObject(DENIED);
    }
  });

  test('causes no warning in /health and in the log', async () => {
    expect(await readiness(api)).toMatchObject({ status: 'ok', warnings: [] });
    expect(warningsIn(api.log)).toEqual([]);
  });

  test('may own the tables, as in older installations: the API works, and /health and the log warn', async () => {
    const asOwner = await api.beside({ DATABASE_URL: api.ownerUrl });
    try {
      const info = 'the database role of the API can change the schema: it is a superuser';
      const expected = { status: 'ok', warnings: [{ code: 'database_role', info }] };
      expect(await readiness(asOwner)).toMatchObject(expected);
      expect(await readiness(asOwner)).toMatchObject(expected);
      expect(warningsIn(asOwner.log)).toEqual([expect.stringContaining('"level":"warn"')]);
      expect((await asOwner.get('/candidates')).status).toBe(200);
    } finally {
      await asOwner.app.close();
    }
  });
});
