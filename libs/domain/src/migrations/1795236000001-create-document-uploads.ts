import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the resumable uploads. The received bytes are in the document store, in parts whose keys are in `part_keys`.
 * `metadata` is JSON as text, because `jsonb` refuses null characters. It is null after the upload has expired.
 */
export class CreateDocumentUploads1795236000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE document_uploads (
  uuid uuid NOT NULL,
  created_dt timestamptz(3) NOT NULL DEFAULT now(),
  credential_id bigint NOT NULL,
  posting_id bigint,
  size integer NOT NULL,
  metadata text,
  received integer NOT NULL DEFAULT 0,
  part_keys uuid[] NOT NULL DEFAULT '{}',
  lock_key uuid,
  locked_until timestamptz,
  document_id bigint,
  CONSTRAINT pk_document_uploads PRIMARY KEY (uuid),
  CONSTRAINT ck_document_uploads_received CHECK (received BETWEEN 0 AND size),
  CONSTRAINT fk_document_uploads_document FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_uploads_created ON document_uploads (created_dt);
CREATE INDEX ix_document_uploads_open ON document_uploads (credential_id)
  WHERE document_id IS NULL AND metadata IS NOT NULL;
CREATE INDEX ix_document_uploads_document ON document_uploads (document_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE document_uploads');
  }
}
