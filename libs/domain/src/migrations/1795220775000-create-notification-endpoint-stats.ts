import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the table that counts the attempts of endpoints by period and result. Notifiers change the newest rows every
 * second, so the pages of the table keep room for new versions of rows.
 */
export class CreateNotificationEndpointStats1795220775000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notification_endpoint_stats');
  }
}

const TABLE = `
CREATE TABLE notification_endpoint_stats (
  endpoint_id bigint NOT NULL,
  -- The length of the period: 5 minutes, an hour or a day.
  seconds integer NOT NULL,
  from_dt timestamptz(3) NOT NULL,
  -- The error code of failed attempts. Empty for deliveries.
  cause text NOT NULL,
  attempts bigint NOT NULL,
  -- A latency histogram of deliveries. Empty for failed attempts.
  latencies integer[] NOT NULL,
  CONSTRAINT pk_notification_endpoint_stats PRIMARY KEY (endpoint_id, seconds, from_dt, cause),
  CONSTRAINT ck_notification_endpoint_stats_seconds CHECK (seconds IN (300, 3600, 86400)),
  CONSTRAINT fk_notification_endpoint_stats_endpoint
    FOREIGN KEY (endpoint_id) REFERENCES notification_endpoints (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX ix_notification_endpoint_stats_from ON notification_endpoint_stats (seconds, from_dt);
`;
