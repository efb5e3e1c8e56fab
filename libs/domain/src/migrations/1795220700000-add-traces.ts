import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds a column for the trace (`traceparent` of W3C Trace Context) to events, deliveries and e-mails, so that later
 * work on a row continues the trace of the request. Null when tracing is off, and in rows that the previous release
 * writes. Partitions get the column from their table.
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
