import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `notification_redeliveries` for the changes feed. */
export class FollowNotificationRedeliveries1795220791018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The URL of an item depends on the columns in the last argument.
    await runner.query(
      `SELECT add_change_triggers('notification_redeliveries', 'notification_redeliveries', NULL, NULL, '{topic_id,subscription_id}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('notification_redeliveries')`);
  }
}
