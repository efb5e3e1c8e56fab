import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `notification_subscriptions` for the changes feed. */
export class FollowNotificationSubscriptions1795220791017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The URL of an item depends on the column in the last argument.
    await runner.query(
      `SELECT add_change_triggers('notification_subscriptions', 'notification_subscriptions', NULL, NULL, '{topic_id}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('notification_subscriptions')`);
  }
}
