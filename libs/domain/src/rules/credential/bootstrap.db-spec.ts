import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { useTestDatabase } from '../../../test/test-database.js';
import { GiveFirstUsersValidAddresses1795220710000 } from '../../migrations/1795220710000-give-first-users-valid-addresses.js';
import { ensureBootstrapCredential } from './bootstrap.js';
import { type MigrationInterface } from 'typeorm';
import { BindCredentialsToMakers1795220760000 } from '../../migrations/1795220760000-bind-credentials-to-makers.js';
import { createToken } from './token.js';

const own = useTestDatabase();

const bootstrap = (token: string): Promise<void> =>
  own.database.transaction((transaction) => ensureBootstrapCredential(transaction, token));
const addresses = async (): Promise<readonly string[]> =>
  (await own.database.query<{ email: string }>('SELECT email FROM users ORDER BY id')).map(({ email }) => email);
async function deleteAll(): Promise<void> {
  for (const table of ['credentials', 'users']) await own.database.query(`DELETE FROM ${table}`);
}

async function migrate(
  direction: 'up' | 'down',
  migration: MigrationInterface = new GiveFirstUsersValidAddresses1795220710000(),
): Promise<void> {
  const runner = own.database.dataSource.createQueryRunner();
  try {
    await migration[direction](runner);
  } finally {
    await runner.release();
  }
}

describe('the credential of BOOTSTRAP_TOKEN', () => {
  it('is created once per token, always with the same two users', async () => {
    const first = createToken();
    await bootstrap(first);
    await bootstrap(first);
    await bootstrap(createToken());
    expect(await addresses()).toHaveLength(2);
    expect(await own.database.query('SELECT id FROM credentials')).toHaveLength(2);
  });

  it('has users with valid e-mail addresses', async () => {
    for (const address of await addresses())
      expect(z.email().safeParse(address).success ? 'valid' : address).toBe('valid');
  });

  it('gets every scope, also the scopes that the previous release did not give it', async () => {
    const scopes = async () => await own.database.query('SELECT DISTINCT scopes FROM credentials');
    expect(await scopes()).toEqual([{ scopes: ['*:read', '*:write', '*:admin'] }]);
    await migrate('down', new BindCredentialsToMakers1795220760000());
    expect(await scopes()).toEqual([{ scopes: ['*:read', '*:write'] }]);
    await migrate('up', new BindCredentialsToMakers1795220760000());
    expect(await scopes()).toEqual([{ scopes: ['*:read', '*:write', '*:admin'] }]);
  });

  it('keeps the users that the previous release created, with new addresses', async () => {
    const after = await addresses();
    await migrate('down');
    const before = await addresses();
    expect(before).toEqual(['administrator@localhost', 'bootstrap-credential@localhost']);
    await own.database.query(`UPDATE users SET updated_dt = '2026-01-01'`);
    await migrate('up');
    expect(await addresses()).toEqual(after);
    // The migration also sets `updated_dt`, so that clients that read changed users get the new addresses.
    expect(await own.database.query(`SELECT id FROM users WHERE updated_dt < '2026-01-02'`)).toEqual([]);
    await bootstrap(createToken());
    expect(await addresses()).toEqual(after);
  });

  it('keeps the old address of a user when another user already has the new address', async () => {
    await deleteAll();
    await own.database.query(
      `INSERT INTO users (type, firstname, lastname, email) VALUES
         ('recruiter', 'A', 'A', 'administrator@localhost'), ('recruiter', 'B', 'B', 'Administrator@System.invalid')`,
    );
    await migrate('up');
    expect(await addresses()).toEqual(['administrator@localhost', 'Administrator@System.invalid']);
    await deleteAll();
  });
});
