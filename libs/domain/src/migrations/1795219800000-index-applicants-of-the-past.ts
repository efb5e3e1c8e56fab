import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes the events and the history of applications by candidate. Anonymising finds data about a person with these
 * indexes, even when the application was deleted or now belongs to another candidate.
 */
export class IndexApplicantsOfThePast1795219800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX ix_domain_events_applicant ON domain_events ((facts ->> 'application.user.id')) WHERE subject_type = 'application';
CREATE INDEX ix_history_entries_changes ON history_entries USING gin (changes jsonb_path_ops) WHERE subject_type = 'application';
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_domain_events_applicant, ix_history_entries_changes');
  }
}
