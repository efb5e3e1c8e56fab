import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of idempotency keys. It also stores the answer to the first request with each key. */
export class CreateIdempotencyKeys1795219600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE idempotency_keys (
  credential_id bigint NOT NULL,
  key text NOT NULL,
  request_digest bytea NOT NULL,
  claim uuid NOT NULL,
  sealed_answer bytea,
  -- Users whose data the answer holds, so that anonymising one can find it.
  people bigint[] NOT NULL DEFAULT '{}',
  created_dt timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (credential_id, key),
  CONSTRAINT fk_idempotency_keys_credential FOREIGN KEY (credential_id) REFERENCES credentials (id) ON DELETE CASCADE
);
CREATE INDEX ix_idempotency_keys_created ON idempotency_keys (created_dt);
CREATE INDEX ix_idempotency_keys_people ON idempotency_keys USING gin (people);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
