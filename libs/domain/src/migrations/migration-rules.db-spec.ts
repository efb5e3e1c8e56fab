import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type MigrationInterface } from 'typeorm';
import { checkStatements } from '../../test/migration-rules/check-statements.js';
import { type Violation } from '../../test/migration-rules/violation.js';
import { Schema } from '../../test/migration-rules/schema.js';
import { useTestDatabase } from '../../test/test-database.js';
import { migrations } from './index.js';
import { type Contraction } from '../../test/migration-rules/contraction.js';

/**
 * The previous release and its newest migration. `npm test -- --only upgrade` compares them with the repository.
 */
const before = JSON.parse(readFileSync(join(__dirname, '../../../../tools/upgrade/previous-release.json'), 'utf8')) as {
  readonly release: string;
  readonly migration: string;
};
const own = useTestDatabase();
const newest = migrations.findIndex(({ name }) => name === before.migration);
const added = migrations.slice(newest + 1);
let schema: Schema;

beforeAll(async () => {
  for (let count = added.length; count > 0; count--) await own.database.dataSource.undoLastMigration();
  schema = await Schema.read(own.database);
});

/** Runs a migration and records the statements that it sends. */
async function record(migration: MigrationInterface): Promise<string[]> {
  const texts: string[] = [];
  const runner = own.database.dataSource.createQueryRunner();
  const query = runner.query.bind(runner);
  runner.query = (text: string, ...rest: []): Promise<never> => {
    texts.push(text);
    return query(text, ...rest) as Promise<never>;
  };
  await migration.up(runner);
  await runner.release();
  return texts;
}

describe('migrations since the previous release', () => {
  it('come after the newest migration of the previous release', () => {
    expect(newest).toBeGreaterThan(0);
  });

  it.each(added.map((migration) => [migration.name, migration] as const))(
    '%s is compatible with the previous release and takes no long locks',
    async (_, Migration) => {
      const migration: MigrationInterface & { readonly contraction?: Contraction } = new Migration();
      const violations = await checkStatements(await record(migration), schema, migration.transaction !== false);
      const { contraction } = migration;
      expect(violations.filter(({ kind }) => kind !== 'contracts' || !contraction)).toEqual([]);
      if (contraction)
        expect(contraction.unneededSince.localeCompare(before.release, 'en', { numeric: true })).toBeLessThanOrEqual(0);
    },
  );
});

const kinds = async (texts: readonly string[], isInTransaction?: boolean): Promise<Violation['kind'][]> =>
  (await checkStatements(texts, await Schema.read(own.database), isInTransaction)).map(({ kind }) => kind);

describe('the rules for migrations', () => {
  it.each([
    ['ALTER TABLE users ADD COLUMN colour text'],
    [`ALTER TABLE users ADD COLUMN colour text NOT NULL DEFAULT 'red'`],
    [`ALTER TABLE users ADD COLUMN painted timestamptz DEFAULT CURRENT_TIMESTAMP`],
    [
      `ALTER TABLE users ADD COLUMN colour text;
       ALTER TABLE users ADD CONSTRAINT ck_users_colour CHECK (colour <> '') NOT VALID`,
    ],
    ['ALTER TABLE users VALIDATE CONSTRAINT ck_users_colour'],
    [
      `CREATE TABLE colours (id bigserial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users);
       CREATE UNIQUE INDEX ix_colours ON colours (user_id); UPDATE colours SET id = 1`,
    ],
    [`UPDATE users SET lastname = 'x' WHERE lower(email) = $1 AND NOT EXISTS (SELECT FROM users)`],
    ['CREATE INDEX ix_ours ON ONLY notification_deliveries (status)'],
    ['ALTER TABLE users ALTER COLUMN lastname SET DEFAULT $$x$$'],
  ])('allow the statement %s', async (text) => {
    expect(await kinds([text])).toEqual([]);
  });

  it.each([
    ['ALTER TABLE users DROP COLUMN email', ['contracts']],
    ['ALTER TABLE users RENAME COLUMN email TO mail', ['contracts']],
    ['ALTER TABLE users RENAME TO people', ['contracts']],
    ['DROP TABLE users', ['contracts']],
    ['DROP INDEX uq_users_email', ['contracts']],
    ['ALTER TABLE users ALTER COLUMN lastname SET NOT NULL', ['contracts']],
    ['ALTER TABLE users ALTER COLUMN lastname DROP NOT NULL', ['contracts']],
    ['ALTER TABLE users ALTER COLUMN lastname DROP DEFAULT', ['contracts']],
    ['ALTER TABLE users DROP CONSTRAINT ck_users_type', ['contracts']],
    ['ALTER TABLE users ALTER COLUMN lastname TYPE varchar(80)', ['contracts', 'locks']],
    ['ALTER TABLE users ADD COLUMN colour text NOT NULL', ['contracts']],
    [`ALTER TABLE users ADD CONSTRAINT ck_a CHECK (lastname <> '') NOT VALID`, ['contracts']],
    [`ALTER TABLE users ADD CONSTRAINT ck_a CHECK (colour <> '')`, ['locks']],
    ['ALTER TABLE users ADD CONSTRAINT uq_a UNIQUE (lastname)', ['locks', 'contracts']],
    ['ALTER TABLE users ADD CONSTRAINT fk_a FOREIGN KEY (manager_id) REFERENCES users', ['locks']],
    ['ALTER TABLE users ADD COLUMN manager_id bigint REFERENCES users', ['locks']],
    ['ALTER TABLE users ADD COLUMN painted timestamptz DEFAULT clock_timestamp()', ['locks']],
    ['ALTER TABLE users ADD COLUMN number bigserial', ['locks']],
    ['CREATE INDEX ix_a ON users (lastname)', ['locks']],
    ['CREATE UNIQUE INDEX ix_a ON users (lastname)', ['locks', 'contracts']],
    [`UPDATE users SET lastname = 'x'`, ['locks']],
    [`DELETE FROM users WHERE lastname IS NULL`, ['locks']],
    ['ALTER TABLE users SET LOGGED', ['unknown']],
    ['LOCK TABLE users', ['unknown']],
    ['DO $$ BEGIN DROP TABLE users; END $$', ['unknown']],
    [`SET lock_timeout = 0`, ['unknown']],
  ])('reject the statement %s', async (text, expected) => {
    expect(await kinds([text])).toEqual(expected);
  });

  it.each([
    [['DROP INDEX CONCURRENTLY IF EXISTS ix_a', 'CREATE INDEX CONCURRENTLY ix_a ON users (lastname)'], []],
    [['UPDATE users SET lastname = $1 WHERE id IN (SELECT id FROM users WHERE lastname IS NULL LIMIT 1000)'], []],
    [['CREATE INDEX CONCURRENTLY ix_a ON users (lastname)'], ['unknown']],
    [['ALTER TABLE users ADD COLUMN colour text'], ['unknown']],
    [['SELECT 1; SELECT 2'], ['unknown']],
  ])('report for %j outside a transaction: %j', async (texts, expected) => {
    expect(await kinds(texts, false)).toEqual(expected);
  });
});
