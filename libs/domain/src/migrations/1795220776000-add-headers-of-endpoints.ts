import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the headers that clients set for the messages of an endpoint. They are encrypted, because they can be secrets. */
export class AddHeadersOfEndpoints1795220776000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints ADD COLUMN sealed_headers bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints DROP COLUMN sealed_headers');
  }
}
