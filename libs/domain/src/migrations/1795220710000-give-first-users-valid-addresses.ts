import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The users that come with the first credential, by the addresses that had no top-level domain: by the schema these are none. */
const ADDRESSES = [
  { before: 'administrator@localhost', after: 'administrator@system.invalid' },
  { before: 'bootstrap-credential@localhost', after: 'bootstrap-credential@system.invalid' },
] as const;

/**
 * Their addresses have the form that they are said to have. Nobody reads e-mails there, before as after. The release before does not
 * look for them, but when it makes a first credential again: then it makes users of its own.
 */
export class GiveFirstUsersValidAddresses1795220710000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, before, after);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { before, after } of ADDRESSES) await rename(runner, after, before);
  }
}

/** An address that somebody else has by now is not taken from him. */
async function rename(runner: QueryRunner, before: string, after: string): Promise<void> {
  await runner.query(
    `UPDATE users SET email = $2, updated_dt = clock_timestamp()
     WHERE lower(email) = $1 AND NOT EXISTS (SELECT FROM users WHERE lower(email) = $2)`,
    [before, after],
  );
}
