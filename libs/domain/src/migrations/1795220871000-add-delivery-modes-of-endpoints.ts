import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the columns for the order and the throttle of messages to endpoints. The due poller notes each attempt to a
 * throttled endpoint in `notification_throttle_uses`. Source: docs/reference/notifications.md, "Delivery modes".
 */
export class AddDeliveryModesOfEndpoints1795220871000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(USES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notification_throttle_uses');
    await runner.query(
      'ALTER TABLE notification_endpoints DROP COLUMN ordering, DROP COLUMN throttle_limit, DROP COLUMN throttle_per_s',
    );
  }
}

const COLUMNS = `
ALTER TABLE notification_endpoints
  ADD COLUMN ordering text NOT NULL DEFAULT 'subject',
  ADD COLUMN throttle_limit integer,
  ADD COLUMN throttle_per_s integer,
  ADD CONSTRAINT ck_notification_endpoints_ordering CHECK (ordering IN ('subject', 'none', 'strict')) NOT VALID,
  ADD CONSTRAINT ck_notification_endpoints_throttle
    CHECK ((throttle_limit IS NULL) = (throttle_per_s IS NULL) AND throttle_limit > 0 AND throttle_per_s > 0) NOT VALID;
`;

const USES = `
CREATE TABLE notification_throttle_uses (
  endpoint_id bigint NOT NULL,
  delivery_id bigint NOT NULL,
  occurred_dt timestamptz(3) NOT NULL,
  -- The values of the delivery when it was queued.
  attempts integer NOT NULL,
  requeues integer NOT NULL,
  -- No earlier than the end of the attempt. Null while the delivery is queued or being sent.
  ended_dt timestamptz,
  CONSTRAINT pk_notification_throttle_uses PRIMARY KEY (endpoint_id, delivery_id, attempts, requeues)
);
`;
