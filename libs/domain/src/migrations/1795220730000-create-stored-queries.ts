import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of long queries, which the links of pages name by a handle. */
export class CreateStoredQueries1795220730000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE stored_queries (
  handle text NOT NULL,
  -- The collection that the handle is valid for.
  collection text NOT NULL,
  -- JSON list of names and values.
  parameters text NOT NULL,
  bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(parameters)) STORED,
  -- The credential that stored the query first. Its queries have a limited size.
  credential_id bigint NOT NULL,
  -- Values that the query compares with personal data, one a line, so that anonymising a person can find them.
  personal_values text,
  -- The subset of these values that the query compares with a part of a text.
  personal_parts text[] NOT NULL DEFAULT '{}',
  created_dt timestamptz(3) NOT NULL DEFAULT now(),
  used_dt timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_stored_queries PRIMARY KEY (handle)
);
CREATE INDEX ix_stored_queries_used ON stored_queries (used_dt);
CREATE INDEX ix_stored_queries_credential ON stored_queries (credential_id, used_dt);
CREATE INDEX ix_stored_queries_personal ON stored_queries (handle) WHERE personal_values IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stored_queries');
  }
}
