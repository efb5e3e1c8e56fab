import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The old and the new e-mail addresses of the users that the first credential creates. The old addresses are invalid,
 * because they have no top-level domain.
 */
const ADDRESSES = [
  { before: 'administrator@localhost', after: 'administrator@system.invalid' },
  { before: 'bootstrap-credential@localhost', after: 'bootstrap-credential@system.invalid' },
] as const;

/**
 * Gives the users of the first credential valid e-mail addresses. Neither the old nor the new addresses receive e-mail.
 * When the previous release creates a first credential again, it does not find the old addresses and creates users of
 * its own.
 */
export class GiveFirstUsersValidAddresses1795220710000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, before, after);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, after, before);
  }
}

/** Changes an e-mail address, unless a user already has the new address. */
async function rename(runner: QueryRunner, before: string, after: string): Promise<void> {
  await runner.query(
    `UPDATE users SET email = $2, updated_dt = clock_timestamp()
     WHERE lower(email) = $1 AND NOT EXISTS (SELECT FROM users WHERE lower(email) = $2)`,
    [before, after],
  );
}
