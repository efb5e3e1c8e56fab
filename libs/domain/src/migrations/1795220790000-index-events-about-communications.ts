import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the index that finds the events about the communications of a candidate who is anonymised. */
export class IndexEventsAboutCommunications1795220790000 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_domain_events_communication');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_domain_events_communication ON domain_events (subject_id)
  WHERE subject_type = 'communication'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_domain_events_communication');
  }
}
