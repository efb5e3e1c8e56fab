import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Records which credential owns a topic or a subscription, and which read scopes the expression of a topic needs. Rows
 * of the previous release have no owner. `migrate` adds their read scopes.
 */
export class AddOwnersOfTopics1795220761000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- read_scopes: the resources whose read scopes the expression of revision read_scopes_revision needs.
ALTER TABLE notification_topics
  ADD COLUMN owner_id bigint,
  ADD COLUMN read_scopes text[],
  ADD COLUMN read_scopes_revision integer,
  ADD CONSTRAINT fk_notification_topics_owner FOREIGN KEY (owner_id) REFERENCES credentials (id) NOT VALID;
ALTER TABLE notification_subscriptions
  ADD COLUMN owner_id bigint,
  ADD CONSTRAINT fk_notification_subscriptions_owner FOREIGN KEY (owner_id) REFERENCES credentials (id) NOT VALID;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_subscriptions DROP COLUMN owner_id;
ALTER TABLE notification_topics
  DROP COLUMN owner_id,
  DROP COLUMN read_scopes,
  DROP COLUMN read_scopes_revision;`);
  }
}
