import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the index with which the quotas count shared endpoints: all shared endpoints, and those of one owner. */
export class IndexSharedEndpoints1795220774001 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints VALIDATE CONSTRAINT fk_notification_endpoints_credential');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_notification_endpoints_shared');
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_notification_endpoints_shared ON notification_endpoints (owner_id)
       WHERE own_subscription_id IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_notification_endpoints_shared');
  }
}
