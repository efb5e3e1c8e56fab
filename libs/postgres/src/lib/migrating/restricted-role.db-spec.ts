import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { asAdministrator, useEmptyDatabase } from '../../../test/test-server.js';
import { type RunQuery, schemaRights } from '../schema-rights.js';
import { grantToRole, type RestrictedRole } from './restricted-role.js';

const own = useEmptyDatabase();
// The names of the roles need quotes in SQL.
const [name, group, password] = [role('API "of" '), role('Group '), `p'ss word \\ ${randomBytes(6).toString('hex')}`];
const exceptions = { entries: ['SELECT', 'INSERT'], migrations: ['SELECT'], missing: ['SELECT'] } as const;
const restricted: RestrictedRole = { name, password, exceptions };
const query: RunQuery = (text, parameters) => own.database.query(text, parameters);
const DENIED = { code: '42501' };

function role(start: string): string {
  return `${start}${randomBytes(6).toString('hex')}`;
}

async function grant(given: RestrictedRole = restricted): Promise<readonly string[]> {
  const lines: string[] = [];
  await grantToRole(query, given, (line) => lines.push(line));
  return lines;
}

/** Runs statements as the restricted role. */
async function asRole<T>(work: (run: (text: string) => Promise<unknown>) => Promise<T>): Promise<T> {
  const url = Object.assign(new URL(own.url), { username: name, password });
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    return await work((text) => client.query(text));
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await own.database.query(`
    CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY, counted serial, value text);
    CREATE TABLE migrations (name text);
    CREATE TABLE entries (id bigint, at timestamptz) PARTITION BY RANGE (at);
    CREATE TABLE entries_2026 PARTITION OF entries FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
    CREATE VIEW seen AS SELECT * FROM plain`);
});
// An earlier hook has dropped the database and everything in it that the roles own. So the roles can be dropped.
afterAll(() =>
  asAdministrator(async (client) => {
    for (const one of [name, group]) await client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(one)}`);
  }),
);

describe('a restricted role', () => {
  it('is not created without a password: the message has the statement for the administrator', async () => {
    await expect(grant({ name, exceptions })).rejects.toThrow(
      `CREATE ROLE "API ""of"" ${name.slice(9)}" LOGIN PASSWORD`,
    );
  });

  it('is created with its password and gets its privileges once', async () => {
    expect(await grant()).toEqual([
      `created the role ${name}`,
      expect.stringMatching(/^set the privileges of the role .* on \d+ objects$/),
    ]);
    expect(await grant()).toEqual([]);
  });

  it('can read and write tables and use their sequences', () =>
    asRole(async (run) => {
      await run(`INSERT INTO plain (value) VALUES ('a')`);
      await run(`UPDATE plain SET value = 'b'`);
      await run('SELECT * FROM plain FOR UPDATE');
      await run('SELECT * FROM seen');
      await run('BEGIN; LOCK TABLE plain IN SHARE ROW EXCLUSIVE MODE; COMMIT');
      await run('DELETE FROM plain');
    }));

  it('only adds to an append-only table, also to partitions that are made later', async () => {
    await own.database.query(
      `CREATE TABLE entries_2027 PARTITION OF entries FOR VALUES FROM ('2027-01-01') TO ('2028-01-01')`,
    );
    await asRole(async (run) => {
      await run(`INSERT INTO entries VALUES (1, '2026-02-01'), (2, '2027-02-01')`);
      await run('SELECT * FROM entries');
      for (const table of ['entries', 'entries_2026', 'entries_2027'])
        for (const text of [`UPDATE ${table} SET id = 3`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
          await expect(run(text)).rejects.toMatchObject(DENIED);
    });
  });

  it.each([
    'CREATE TABLE added (id int)',
    'CREATE SCHEMA added',
    'ALTER TABLE plain ADD COLUMN added int',
    'DROP TABLE plain',
    'TRUNCATE plain',
    'CREATE INDEX ON plain (value)',
    'DELETE FROM migrations',
  ])('is denied %s', (text) => asRole((run) => expect(run(text)).rejects.toMatchObject(DENIED)));

  it('gets privileges on new tables, and loses privileges that it should not have', async () => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await own.database.query(`
      CREATE TABLE later (id int);
      GRANT ALL ON entries, entries_2026, plain TO ${quoted} WITH GRANT OPTION;
      GRANT UPDATE (name) ON migrations TO ${quoted};
      GRANT UPDATE ON SEQUENCE plain_id_seq TO ${quoted};
      GRANT CREATE ON SCHEMA public TO ${quoted}`);
    expect(await grant()).toEqual([`set the privileges of the role ${name} on 7 objects`]);
    await asRole(async (run) => {
      await run('SELECT * FROM later');
      for (const text of ['TRUNCATE plain', 'UPDATE entries_2026 SET id = 3', `UPDATE migrations SET name = 'x'`])
        await expect(run(text)).rejects.toMatchObject(DENIED);
      await expect(run('CREATE TABLE added (id int)')).rejects.toMatchObject(DENIED);
    });
    expect(await grant()).toEqual([]);
  });

  it('is reported when it can change the schema through other privileges', async () => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    expect(await schemaRights(query, name)).toBeUndefined();
    await own.database.query(
      `CREATE ROLE "${group}"; GRANT "${group}" TO ${quoted}; ALTER TABLE later OWNER TO "${group}"`,
    );
    expect(await grant()).toContain(
      `warning: the role ${name} can change the schema: it owns tables of the schema public`,
    );
    await own.database.query(`REVOKE "${group}" FROM ${quoted}; GRANT CREATE ON SCHEMA public TO PUBLIC`);
    expect(await grant()).toContain(
      `warning: the role ${name} can change the schema: it may create objects in the schema public`,
    );
    await own.database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await asAdministrator((client) => client.query(`ALTER ROLE ${quoted} SUPERUSER`));
    expect(await schemaRights(query, name)).toBe('is a superuser');
    await asAdministrator((client) => client.query(`ALTER ROLE ${quoted} NOSUPERUSER`));
    expect(await grant()).toEqual([]);
  });

  it('gets no privileges when it owns the schema, and the output says so', async () => {
    const [owner] = await own.database.query<{ name: string }>('SELECT current_user AS name');
    expect(await grant({ name: owner?.name ?? '', exceptions })).toEqual([
      expect.stringContaining('can change the schema'),
    ]);
  });
});
