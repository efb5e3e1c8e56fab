import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the index that finds the credentials that a credential made, for revoking and counting them. */
export class IndexMakersOfCredentials1795220760001 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials VALIDATE CONSTRAINT fk_credentials_created_by');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_credentials_created_by');
    await runner.query('CREATE INDEX CONCURRENTLY ix_credentials_created_by ON credentials (created_by_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_credentials_created_by');
  }
}
