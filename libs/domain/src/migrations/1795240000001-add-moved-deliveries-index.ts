import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the index of due deliveries whose due time moved after they were created, such as retries. The order of messages
 * about one subject needs it. Most deliveries are never in this index, so it does not slow down their writes.
 *
 * The index begins without the indexes of the existing partitions. New partitions get their indexes at once. The next
 * two migrations build and attach the indexes of the existing partitions without blocking writes.
 */
export class AddMovedDeliveriesIndex1795240000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_notification_deliveries_moved ON ONLY notification_deliveries
      (subscription_id, subject_id, id) WHERE status = 'due' AND next_attempt_dt > created_dt`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_notification_deliveries_moved');
  }
}
