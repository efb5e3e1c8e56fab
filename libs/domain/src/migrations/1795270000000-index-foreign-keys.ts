import { type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEXES = [
  ['ix_history_entries_recruiter', 'history_entries (recruiter_id)'],
  ['ix_opportunities_owner', 'opportunities (owner_id) WHERE owner_id IS NOT NULL'],
] as const;

/**
 * Creates the indexes that PostgreSQL needs when it checks whether rows refer to a deleted user. Without the first one,
 * every deletion of a candidate read the whole history.
 */
export class IndexForeignKeys1795270000000 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, rows] of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${rows}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX ${name}`);
  }
}
