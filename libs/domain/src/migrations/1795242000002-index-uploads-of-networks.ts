import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the index that finds the unfinished uploads of a network. */
export class IndexUploadsOfNetworks1795242000002 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_document_uploads_network');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_document_uploads_network
      ON document_uploads (network_digest) WHERE document_id IS NULL AND metadata IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_document_uploads_network');
  }
}
