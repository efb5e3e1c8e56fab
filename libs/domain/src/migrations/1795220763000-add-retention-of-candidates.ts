import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the retention rule of candidates, the announcements of their anonymisation, and the places of texts that
 * mention an anonymised person. The previous release neither reads nor writes them.
 */
export class AddRetentionOfCandidates1795220763000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE systems
  ADD COLUMN candidate_retention_days integer,
  ADD COLUMN retention_notice_days integer NOT NULL DEFAULT 14,
  -- The time from which announcements count: the last change of the rule.
  ADD COLUMN retention_since_dt timestamptz(3);
ALTER TABLE users ADD COLUMN retention_notice_dt timestamptz(3);
CREATE TABLE anonymised_mentions (
  person_id bigint NOT NULL,
  place text NOT NULL,
  row_key text NOT NULL,
  column_name text NOT NULL,
  -- Offsets and lengths of the mentions, and the digest of the text without them. The mentions are not stored.
  spans jsonb NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT pk_anonymised_mentions PRIMARY KEY (person_id, place, row_key, column_name),
  CONSTRAINT fk_anonymised_mentions_person FOREIGN KEY (person_id) REFERENCES users (id) ON DELETE CASCADE
);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE anonymised_mentions;
ALTER TABLE users DROP COLUMN retention_notice_dt;
ALTER TABLE systems DROP COLUMN candidate_retention_days, DROP COLUMN retention_notice_days,
  DROP COLUMN retention_since_dt;
`);
  }
}
