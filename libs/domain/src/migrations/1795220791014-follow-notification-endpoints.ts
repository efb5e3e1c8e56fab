import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `notification_endpoints` for the changes feed. */
export class FollowNotificationEndpoints1795220791014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('notification_endpoints', 'notification_endpoints')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('notification_endpoints')`);
  }
}
