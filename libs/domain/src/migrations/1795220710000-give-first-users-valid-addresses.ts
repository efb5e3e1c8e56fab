import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The users of the first credential, by their old addresses. These had no top-level domain and are invalid by the
 * schema.
 */
const ADDRESSES = [
  { before: 'administrator@localhost', after: 'administrator@system.invalid' },
  { before: 'bootstrap-credential@localhost', after: 'bootstrap-credential@system.invalid' },
] as const;

/**
 * Gives these users valid addresses. No e-mail arrives there, before or after. The previous release looks for the old
 * addresses only when it creates a first credential again; then it creates its own users.
 */
export class GiveFirstUsersValidAddresses1795220710000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, before, after);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, after, before);
  }
}

/** Changes an address, unless another user already has the new one. */
async function rename(runner: QueryRunner, before: string, after: string): Promise<void> {
  await runner.query(
    `UPDATE users SET email = $2, updated_dt = clock_timestamp()
     WHERE lower(email) = $1 AND NOT EXISTS (SELECT FROM users WHERE lower(email) = $2)`,
    [before, after],
  );
}
