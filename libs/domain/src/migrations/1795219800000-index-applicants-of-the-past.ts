import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds what is kept about a person from applications that are deleted or someone else's by now. */
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
