import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The e-mail addresses of the API user of the first credential, in this and in earlier releases. */
const BOOTSTRAP_EMAILS = ['bootstrap-credential@system.invalid', 'bootstrap-credential@localhost'] as const;

/**
 * Records which credential made a credential, and the networks where it works. Gives the first credential the scope
 * `*:admin`. Credentials of the previous release have no maker and work everywhere.
 */
export class BindCredentialsToMakers1795220760000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- maker_ids: the maker and its own makers, as far as they were not revoked when the credential was made.
ALTER TABLE credentials
  ADD COLUMN created_by_id bigint,
  ADD COLUMN maker_ids bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN allowed_cidrs text[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT fk_credentials_created_by FOREIGN KEY (created_by_id) REFERENCES credentials (id) NOT VALID;`);
    for (const email of BOOTSTRAP_EMAILS) {
      const users = (await runner.query(`SELECT id FROM users WHERE type = 'api' AND lower(email) = $1`, [email])) as {
        readonly id: unknown;
      }[];
      for (const { id } of users)
        await runner.query(
          `UPDATE credentials SET scopes = array_append(scopes, '*:admin'), updated_dt = clock_timestamp()
           WHERE user_id = $1 AND scopes @> '{*:read,*:write}' AND NOT '*:admin' = ANY (scopes)`,
          [id],
        );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
UPDATE credentials SET scopes = array_remove(scopes, '*:admin') WHERE '*:admin' = ANY (scopes);
ALTER TABLE credentials
  DROP COLUMN created_by_id,
  DROP COLUMN maker_ids,
  DROP COLUMN allowed_cidrs;`);
  }
}
