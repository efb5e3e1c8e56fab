import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the positions of messages in the feeds of endpoints. The API gives them to messages when a client reads a
 * feed, so endpoints that nobody reads cost nothing. Source: docs/reference/notifications.md, "Feed of an endpoint".
 */
export class CreateEndpointMessages1795220870000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE notification_endpoint_messages, notification_endpoint_marks, notification_endpoint_feeds',
    );
  }
}

const TABLES = `
-- One row for each endpoint whose feed was read.
CREATE TABLE notification_endpoint_feeds (
  endpoint_id bigint NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_notification_endpoint_feeds PRIMARY KEY (endpoint_id),
  CONSTRAINT fk_notification_endpoint_feeds_endpoint
    FOREIGN KEY (endpoint_id) REFERENCES notification_endpoints (id) ON DELETE CASCADE
);

-- All messages of the subscription up to this sequence have a position in the feed.
CREATE TABLE notification_endpoint_marks (
  endpoint_id bigint NOT NULL,
  subscription_id bigint NOT NULL,
  sequence bigint NOT NULL,
  CONSTRAINT pk_notification_endpoint_marks PRIMARY KEY (endpoint_id, subscription_id),
  CONSTRAINT fk_notification_endpoint_marks_feed
    FOREIGN KEY (endpoint_id) REFERENCES notification_endpoint_feeds (endpoint_id) ON DELETE CASCADE
);

-- Retention deletes the rows, also those of deleted endpoints.
CREATE TABLE notification_endpoint_messages (
  endpoint_id bigint NOT NULL,
  position bigint NOT NULL,
  subscription_id bigint NOT NULL,
  delivery_id bigint NOT NULL,
  occurred_dt timestamptz(3) NOT NULL,
  CONSTRAINT pk_notification_endpoint_messages PRIMARY KEY (endpoint_id, position)
);
CREATE INDEX ix_notification_endpoint_messages_occurred ON notification_endpoint_messages (occurred_dt);
`;
