import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the indexes that find the topics and subscriptions of a credential. */
export class IndexOwnersOfTopics1795220761001 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['notification_topics', 'notification_subscriptions']) {
      await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT fk_${table}_owner`);
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_owner`);
      await runner.query(`CREATE INDEX CONCURRENTLY ix_${table}_owner ON ${table} (owner_id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_notification_topics_owner');
    await runner.query('DROP INDEX ix_notification_subscriptions_owner');
  }
}
