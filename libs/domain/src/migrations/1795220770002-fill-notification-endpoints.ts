import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * SQL for one batch of subscriptions. A trigger replaces null by a new endpoint. Rows that a transaction of a client
 * has locked wait for a later batch. A batch is small, because clients wait for its rows.
 */
const FILL = `UPDATE notification_subscriptions SET endpoint_id = NULL WHERE id IN (
  SELECT id FROM notification_subscriptions WHERE endpoint_id IS NULL LIMIT 250 FOR NO KEY UPDATE SKIP LOCKED)`;

/** Gives each existing subscription an endpoint of its own, in batches. */
export class FillNotificationEndpoints1795220770002 implements MigrationInterface {
  // Each batch is a transaction. After an interruption the migration continues with the rest.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (;;) {
      const [, filled] = (await runner.query(FILL)) as [unknown, number];
      if (filled > 0) continue;
      const left = (await runner.query(
        'SELECT FROM notification_subscriptions WHERE endpoint_id IS NULL LIMIT 1',
      )) as object[];
      if (left.length === 0) break;
      await runner.query('SELECT pg_sleep(0.2)');
    }
    await runner.query(
      'ALTER TABLE notification_subscriptions VALIDATE CONSTRAINT fk_notification_subscriptions_endpoint',
    );
  }

  /** Does nothing, because `CreateNotificationEndpoints` removes the endpoints. */
  async down(): Promise<void> {}
}
