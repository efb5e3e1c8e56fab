import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the queue of documents that the virus scanner has not judged yet. */
export class CreateDocumentScans1795229000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE document_scans (
  document_id bigint NOT NULL,
  due_dt timestamptz(3) NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_document_scans PRIMARY KEY (document_id),
  CONSTRAINT fk_document_scans_document FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_scans_due ON document_scans (due_dt);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE document_scans');
  }
}
