import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Indexes the history of applications by collection, so that a feed reads no entries of another collection. */
export class IndexHistoryFeeds1795281000005 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_history_entries_feed');
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_history_entries_feed ON history_entries (collection, id) WHERE subject_type = 'application'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_history_entries_feed');
  }
}
