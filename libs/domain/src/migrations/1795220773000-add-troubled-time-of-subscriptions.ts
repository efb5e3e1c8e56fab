import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the time since which a subscription is in trouble: it was disabled, or has failed repeatedly. The next success
 * raises an event and clears the time. The previous release neither reads nor writes it.
 */
export class AddTroubledTimeOfSubscriptions1795220773000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_subscriptions ADD COLUMN troubled_dt timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_subscriptions DROP COLUMN troubled_dt');
  }
}
