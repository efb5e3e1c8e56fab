import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Allows endpoints and subscriptions without a destination. Clients read their messages from the feed of the endpoint.
 * Source: docs/reference/notifications.md, "Endpoints without a destination".
 */
export class LetEndpointsOnlyStream1795234000001 implements MigrationInterface {
  readonly contraction = {
    unneededSince: '0.1.0',
    because:
      'Only subscriptions of shared endpoints can have no destination. The notifiers of that release do not pick them, ' +
      'because their max_in_flight is 0, and its API only shows the value.',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoints ALTER COLUMN destination_url DROP NOT NULL;
ALTER TABLE notification_subscriptions ALTER COLUMN destination_url DROP NOT NULL;
CREATE INDEX ix_notification_endpoints_streaming ON notification_endpoints (id) WHERE destination_url IS NULL;
-- The greatest position that a client has acknowledged.
ALTER TABLE notification_endpoint_feeds ADD COLUMN acknowledged_position bigint NOT NULL DEFAULT 0;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoint_feeds DROP COLUMN acknowledged_position;
DROP INDEX ix_notification_endpoints_streaming;
DELETE FROM notification_subscriptions WHERE destination_url IS NULL;
ALTER TABLE notification_subscriptions ALTER COLUMN destination_url SET NOT NULL;
DELETE FROM notification_endpoints WHERE destination_url IS NULL;
ALTER TABLE notification_endpoints ALTER COLUMN destination_url SET NOT NULL;`);
  }
}
