import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the batch size of endpoints. Notifiers of the previous release do not pick subscriptions of endpoints with a
 * batch, because such endpoints are shared. Source: docs/reference/notifications.md, "Batches".
 */
export class AddBatchOfEndpoints1795234000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoints
  ADD COLUMN batch_max integer,
  ADD COLUMN batch_wait_ms integer,
  ADD CONSTRAINT ck_notification_endpoints_batch
    CHECK ((batch_max IS NULL) = (batch_wait_ms IS NULL) AND batch_max > 0 AND batch_wait_ms >= 0) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints DROP COLUMN batch_max, DROP COLUMN batch_wait_ms');
  }
}
