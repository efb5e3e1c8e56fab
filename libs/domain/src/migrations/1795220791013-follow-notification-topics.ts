import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `notification_topics` for the changes feed. */
export class FollowNotificationTopics1795220791013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('notification_topics', 'notification_topics')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('notification_topics')`);
  }
}
