import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Validates the constraint of `CreateClientCertificates`, and creates the index of the endpoints of a certificate. */
export class IndexCertificateOfEndpoints1795240000005 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints VALIDATE CONSTRAINT fk_notification_endpoints_certificate');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_notification_endpoints_certificate');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_notification_endpoints_certificate
      ON notification_endpoints (certificate_id) WHERE certificate_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_notification_endpoints_certificate');
  }
}
