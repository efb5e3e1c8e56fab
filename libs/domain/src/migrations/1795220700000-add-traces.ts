import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Which trace events, deliveries and e-mails belong to (`traceparent` of W3C Trace Context), so that whoever works on them goes on
 * with it. Null where nobody collects traces, and of what the release before writes. Partitions have what their table has.
 */
export class AddTraces1795220700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN traceparent text;`).join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES.map((table) => `ALTER TABLE ${table} DROP COLUMN traceparent;`).join('\n'));
  }
}

const TABLES = ['domain_events', 'notification_deliveries', 'outgoing_mails'] as const;
