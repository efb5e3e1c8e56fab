import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What operators ask of events: which were set aside, and what a request of the API has raised. */
export class IndexEventsForOperators1795220430000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX ix_domain_events_quarantined ON domain_events (id) WHERE status = 'quarantined';
CREATE INDEX ix_domain_events_request ON domain_events (request_id) WHERE request_id IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_domain_events_quarantined, ix_domain_events_request');
  }
}
