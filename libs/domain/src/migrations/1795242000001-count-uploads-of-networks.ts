import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the digest of the network that began a resumable upload without a credential, so that unfinished uploads of a
 * network can be counted. The digest is null for uploads of credentials, and for uploads that began with the previous
 * release.
 */
export class CountUploadsOfNetworks1795242000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document_uploads ADD COLUMN network_digest bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document_uploads DROP COLUMN network_digest');
  }
}
