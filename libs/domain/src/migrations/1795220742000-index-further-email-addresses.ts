import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes the further e-mail addresses of candidates for searches that ignore case. `uq_users_email` serves those for
 * the address of a user.
 */
export class IndexFurtherEmailAddresses1795220742000 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_candidate_emails_address');
    await runner.query(
      'CREATE INDEX CONCURRENTLY ix_candidate_emails_address ON candidate_emails (lower(address), user_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_candidate_emails_address');
  }
}
