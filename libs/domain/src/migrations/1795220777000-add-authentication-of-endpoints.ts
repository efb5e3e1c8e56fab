import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the column that says how messages of an endpoint authenticate the service at the destination. The column is
 * encrypted, because it contains a secret.
 */
export class AddAuthenticationOfEndpoints1795220777000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints ADD COLUMN sealed_authentication bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints DROP COLUMN sealed_authentication');
  }
}
