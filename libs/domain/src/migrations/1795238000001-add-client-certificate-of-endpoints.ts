import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the client certificate of endpoints, and the time when it expires. The pair is encrypted, because it contains a
 * private key. Notifiers of the previous release do not pick subscriptions of endpoints with a certificate, because such
 * endpoints are shared. Source: docs/reference/notifications.md, "Client certificate towards the destination".
 */
export class AddClientCertificateOfEndpoints1795238000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoints
  ADD COLUMN sealed_client_certificate bytea,
  ADD COLUMN client_certificate_expires_dt timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoints
  DROP COLUMN sealed_client_certificate,
  DROP COLUMN client_certificate_expires_dt`);
  }
}
