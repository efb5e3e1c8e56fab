import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';

/**
 * Hours after which an unfinished upload expires. Its row is deleted after twice this time, so that clients can still
 * learn why the upload ended.
 */
export const UPLOAD_HOURS = 24;
/** Maximum number of unfinished uploads of one credential, and of one network that uploads through public boards. */
export const MAX_OPEN_UPLOADS = 100;
/**
 * Seconds without new bytes after which another request may write to an upload. The process that locked it may have
 * died, or its client may be gone.
 */
const LOCK_S = 10;

/** The client that an upload belongs to. Other clients cannot find the upload. */
export interface UploadOwner {
  readonly credentialId: number;
  /** The posting of an upload without a credential, else null. */
  readonly postingId: number | null;
}

/** The client that begins an upload. */
export interface NewUploadOwner extends UploadOwner {
  /** Keyed digest of the client's network, by which uploads without a credential are counted. */
  readonly networkDigest?: Buffer | undefined;
}

/** A resumable upload. Source: docs/reference/documents.md, "Resumable uploads". */
export interface DocumentUpload {
  readonly uuid: string;
  readonly created_dt: Date;
  /** Number of bytes of the whole file. */
  readonly size: number;
  /** The names and values that the client sent with the upload, as JSON. Null after the upload has expired. */
  readonly metadata: string | null;
  /** Number of bytes that are stored. */
  readonly received: number;
  /** The keys under which the bytes of the upload are stored, in the order of the file. */
  readonly part_keys: readonly string[];
  /** The document that the finished upload has become. */
  readonly document_id: number | null;
}

const COLUMNS = 'uuid, created_dt, size, metadata, received, part_keys, document_id';

const read = (row: DocumentUpload): DocumentUpload => ({
  ...row,
  document_id: row.document_id === null ? null : Number(row.document_id),
});

/** The properties of a new upload. */
export interface NewUpload extends Pick<DocumentUpload, 'uuid' | 'size' | 'metadata'> {
  /** The lock of the request that creates the upload, when this request also sends the first bytes. Null otherwise. */
  readonly lock: string | null;
}

/** Adds an upload. @returns null when the credential or the network has too many unfinished ones */
export async function addUpload(
  transaction: Transaction,
  { uuid, size, metadata, lock: lockKey }: NewUpload,
  { credentialId, postingId, networkDigest }: NewUploadOwner,
): Promise<DocumentUpload | null> {
  const [column, value, lock] = networkDigest
    ? ['network_digest', networkDigest, networkDigest.readInt32BE()]
    : ['credential_id', credentialId, credentialId];
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1, $2::integer)', [ADVISORY_LOCKS.uploads, lock]);
  const [open] = await runStatement<{ count: string }>(
    transaction,
    `SELECT count(*) FROM document_uploads
     WHERE ${column} = $1 AND document_id IS NULL AND metadata IS NOT NULL`,
    [value],
  );
  if (Number(open?.count) >= MAX_OPEN_UPLOADS) return null;
  const [added] = await runStatement<DocumentUpload>(
    transaction,
    `INSERT INTO document_uploads
       (uuid, size, metadata, credential_id, posting_id, network_digest, lock_key, locked_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => ${LOCK_S})) RETURNING ${COLUMNS}`,
    [uuid, size, metadata, credentialId, postingId, networkDigest ?? null, lockKey],
  );
  return added ? read(added) : null;
}

/** Reads an upload of the client. Null when the client has no such upload. */
export async function findUpload(
  transaction: Transaction,
  uuid: string,
  { credentialId, postingId }: UploadOwner,
): Promise<DocumentUpload | null> {
  const [found] = await runStatement<DocumentUpload>(
    transaction,
    `SELECT ${COLUMNS} FROM document_uploads
     WHERE uuid = $1 AND credential_id = $2 AND posting_id IS NOT DISTINCT FROM $3`,
    [uuid, credentialId, postingId],
  );
  return found ? read(found) : null;
}

/**
 * Locks an upload of the client for one request that writes, or extends the lock that this request already has.
 * @returns the upload; null while another request writes, and when the client has no such upload
 */
export async function lockUpload(
  transaction: Transaction,
  { uuid, lock }: { readonly uuid: string; readonly lock: string },
  { credentialId, postingId }: UploadOwner,
): Promise<DocumentUpload | null> {
  const [locked] = await runStatement<DocumentUpload>(
    transaction,
    `UPDATE document_uploads SET lock_key = $2, locked_until = now() + make_interval(secs => ${LOCK_S})
     WHERE uuid = $1 AND credential_id = $3 AND posting_id IS NOT DISTINCT FROM $4
       AND (lock_key IS NULL OR lock_key = $2 OR locked_until < now()) RETURNING ${COLUMNS}`,
    [uuid, lock, credentialId, postingId],
  );
  return locked ? read(locked) : null;
}

/**
 * Ends the lock of an upload. A null `lock` ends the lock of any request that adds bytes, so that a client which has
 * lost its connection need not wait for its old request. But when all bytes are stored, a null `lock` changes nothing,
 * because the document of the upload is being made.
 */
export async function unlockUpload(transaction: Transaction, uuid: string, lock: string | null): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE document_uploads SET lock_key = NULL
     WHERE uuid = $1 AND lock_key = coalesce($2, lock_key) AND ($2::uuid IS NOT NULL OR received < size)`,
    [uuid, lock],
  );
}

/** A piece of an upload whose bytes are stored under `key`. It begins at `offset` in the file. */
export interface UploadPart {
  readonly uuid: string;
  readonly lock: string;
  readonly key: string;
  readonly offset: number;
  readonly size: number;
}

/**
 * Adds stored bytes to an upload, and extends the lock of the request.
 * @returns false when the request has lost its lock
 */
export async function addUploadPart(transaction: Transaction, part: UploadPart): Promise<boolean> {
  const added = await runStatement(
    transaction,
    `UPDATE document_uploads SET part_keys = part_keys || $3::uuid, received = received + $5,
       locked_until = now() + make_interval(secs => ${LOCK_S})
     WHERE uuid = $1 AND lock_key = $2 AND received = $4 RETURNING uuid`,
    [part.uuid, part.lock, part.key, part.offset, part.size],
  );
  return added.length > 0;
}

/**
 * Makes a document from an upload. The parts of the upload are deleted later, except a part that has become the bytes
 * of the document.
 * @returns false when the upload is finished, expired or gone
 */
export async function finishUpload(transaction: Transaction, uuid: string, documentId: number): Promise<boolean> {
  const locked = await runStatement(
    transaction,
    `SELECT FROM document_uploads
     WHERE uuid = $1 AND document_id IS NULL AND metadata IS NOT NULL AND received = size FOR UPDATE`,
    [uuid],
  );
  if (locked.length === 0) return false;
  await removeParts(transaction, [uuid]);
  await runStatement(transaction, 'UPDATE document_uploads SET document_id = $2 WHERE uuid = $1', [uuid, documentId]);
  return true;
}

/**
 * Deletes an upload that has not become a document, and its parts.
 * @returns false when it has become a document, when the document is being made, or when it is gone
 */
export async function deleteUpload(transaction: Transaction, uuid: string): Promise<boolean> {
  const locked = await runStatement(
    transaction,
    `SELECT FROM document_uploads WHERE uuid = $1 AND document_id IS NULL
       AND (received < size OR lock_key IS NULL OR locked_until < now()) FOR UPDATE`,
    [uuid],
  );
  if (locked.length === 0) return false;
  await removeParts(transaction, [uuid]);
  await runStatement(transaction, 'DELETE FROM document_uploads WHERE uuid = $1', [uuid]);
  return true;
}

/**
 * Deletes the uploads of documents that got an owner. The URL of such an upload then answers as it does after the
 * deletion of the document, so it does not reveal what became of an application to a public board.
 */
export async function forgetUploadsOf(transaction: Transaction, documentIds: readonly number[]): Promise<void> {
  await runStatement(transaction, 'DELETE FROM document_uploads WHERE document_id = ANY($1)', [documentIds]);
}

/**
 * Ends expired uploads and deletes their parts and metadata. Also deletes the rows of uploads that expired long ago.
 * @returns the number of ended uploads
 */
export async function endExpiredUploads(transaction: Transaction, limit: number): Promise<number> {
  const expired = await runStatement<{ uuid: string }>(
    transaction,
    `SELECT uuid FROM document_uploads
     WHERE created_dt < now() - make_interval(hours => ${UPLOAD_HOURS}) AND metadata IS NOT NULL
     LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  const uuids = expired.map(({ uuid }) => uuid);
  await removeParts(transaction, uuids);
  await runStatement(transaction, 'UPDATE document_uploads SET metadata = NULL WHERE uuid = ANY($1)', [uuids]);
  await runStatement(
    transaction,
    `DELETE FROM document_uploads
     WHERE created_dt < now() - make_interval(hours => ${2 * UPLOAD_HOURS}) AND metadata IS NULL`,
  );
  return uuids.length;
}

/**
 * Removes the parts of uploads. The sweeper of the API then deletes the bytes of the parts, as it deletes the bytes of
 * removed documents.
 */
async function removeParts(transaction: Transaction, uuids: readonly string[]): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO removed_documents (storage_key)
     SELECT key FROM document_uploads, unnest(part_keys) AS key
     WHERE uuid = ANY($1) AND NOT EXISTS (SELECT FROM documents WHERE storage_key = key)`,
    [uuids],
  );
  await runStatement(
    transaction,
    `UPDATE document_uploads SET part_keys = '{}', lock_key = NULL WHERE uuid = ANY($1)`,
    [uuids],
  );
}
