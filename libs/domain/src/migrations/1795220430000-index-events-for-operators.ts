import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the indexes that operators need to find quarantined events and the events of one API request. */
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
