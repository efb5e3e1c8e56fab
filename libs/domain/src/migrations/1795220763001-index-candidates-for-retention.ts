import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the indexes that find candidates whom nobody has changed for a long time, and the events about candidates.
 */
export class IndexCandidatesForRetention1795220763001 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_users_candidates_updated');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_users_candidates_updated ON users (updated_dt, id)
  WHERE type = 'candidate' AND status <> 'anonymised'`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_domain_events_candidate');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_domain_events_candidate ON domain_events (subject_id)
  WHERE subject_type = 'candidate'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_users_candidates_updated');
    await runner.query('DROP INDEX ix_domain_events_candidate');
  }
}
