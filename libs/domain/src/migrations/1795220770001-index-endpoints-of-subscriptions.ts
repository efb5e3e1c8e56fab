import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the index that finds the subscriptions of an endpoint. The deletion of an endpoint looks for them, so this
 * index comes before `FillNotificationEndpoints`.
 */
export class IndexEndpointsOfSubscriptions1795220770001 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_notification_subscriptions_endpoint');
    await runner.query(
      'CREATE INDEX CONCURRENTLY ix_notification_subscriptions_endpoint ON notification_subscriptions (endpoint_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_notification_subscriptions_endpoint');
  }
}
