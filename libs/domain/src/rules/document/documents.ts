import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { z } from 'zod';
import { document } from '../../objects/document.model.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { idSchema } from '../../vocabulary/value-schema.js';
import { forgetUploadsOf } from './document-uploads.js';
import { noteChanges } from '../../writing/event/note-changes.js';

/** Maximum number of documents that one request can name. */
export const MAX_DOCUMENTS = 20;

/** The schema of the document ids in a body that creates the owner of the documents. */
export const documentIdsSchema = z.array(idSchema).max(MAX_DOCUMENTS);

/** The documents that a request names for an object that it creates. */
export interface NamedDocuments {
  /** `document_ids` of the body, which may be invalid. */
  readonly given: unknown;
  /** The credential of the request. It must have uploaded the documents. */
  readonly credentialId: number;
}

/**
 * Returns a violation for each id that is not the id of a free document of the credential. A document is free when it
 * has no owner, and belongs to the credential that uploaded it. Locks the free documents until the transaction ends. A
 * missing document and a document of another credential give the same violation. Source: docs/reference/documents.md,
 * "Owners".
 */
export async function documentViolations(
  transaction: Transaction,
  { given, credentialId }: NamedDocuments,
): Promise<readonly Violation[]> {
  const ids = Array.isArray(given) ? given.slice(0, MAX_DOCUMENTS).map((id) => idSchema.safeParse(id).data) : [];
  if (ids.length === 0) return [];
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM documents WHERE id = ANY($1) AND credential_id = $2
       AND application_id IS NULL AND candidate_id IS NULL ORDER BY id FOR UPDATE`,
    [ids.filter((id) => id !== undefined), credentialId],
  );
  const free = new Set(rows.map(({ id }) => Number(id)));
  return ids.flatMap((id, index): Violation[] => {
    // An `id` is undefined when it is malformed; the schema has already reported it. `delete` finds each id only once,
    // so a repeated id is a violation.
    if (id === undefined || free.delete(id)) return [];
    const info = message`expected the id of a document that this credential uploaded and that has no owner`;
    return [{ path: `/document_ids/${index}`, code: 'invalid', info }];
  });
}

/**
 * Sets the owner of documents to a new object. The same transaction must have called `documentViolations`, without a
 * violation.
 */
export async function claimDocuments(
  transaction: Transaction,
  ids: readonly number[],
  owner: { readonly column: 'application_id' | 'candidate_id'; readonly id: number },
): Promise<void> {
  if (ids.length === 0) return;
  await runStatement(
    transaction,
    `UPDATE documents SET ${owner.column} = $2, updated_dt = clock_timestamp() WHERE id = ANY($1)`,
    [ids, owner.id],
  );
  await forgetUploadsOf(transaction, ids);
  await noteChanges(transaction, { root: document.name, change: 'update', ids });
}

/** The owners whose documents must be deleted. */
export interface DocumentOwners {
  readonly applicationIds: readonly number[];
  readonly candidateId?: number;
}

/**
 * Deletes the documents of owners that are deleted or anonymised. The service deletes the files within minutes.
 * @returns the ids of the documents
 */
export async function deleteDocumentsOf(
  transaction: Transaction,
  { applicationIds, candidateId = 0 }: DocumentOwners,
): Promise<readonly { readonly id: number }[]> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM documents WHERE application_id = ANY($1) OR candidate_id = $2 ORDER BY id FOR UPDATE',
    [applicationIds, candidateId],
  );
  return deleteDocuments(transaction, rows);
}

/** Deletes documents and records their events. */
async function deleteDocuments(
  transaction: Transaction,
  rows: readonly { readonly id: number }[],
): Promise<readonly { readonly id: number }[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return rows;
  await noteChanges(transaction, { root: document.name, change: 'delete', ids });
  await runStatement(transaction, 'DELETE FROM documents WHERE id = ANY($1)', [ids]);
  return rows;
}

/** Deletes documents that the credential uploaded and that have no owner. Ignores all other ids. */
export async function deleteFreeDocuments(
  transaction: Transaction,
  ids: readonly number[],
  credentialId: number,
): Promise<void> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM documents WHERE id = ANY($1) AND credential_id = $2
       AND application_id IS NULL AND candidate_id IS NULL ORDER BY id FOR UPDATE`,
    [ids, credentialId],
  );
  await deleteDocuments(transaction, rows);
}

const UNCLAIMED_HOURS = 24;

/**
 * Deletes documents that no request has named for 24 hours.
 * @returns the number of deleted documents, at most `limit`
 */
export async function deleteUnclaimedDocuments(transaction: Transaction, limit: number): Promise<number> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM documents WHERE application_id IS NULL AND candidate_id IS NULL
       AND created_dt < now() - make_interval(hours => ${UNCLAIMED_HOURS})
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return (await deleteDocuments(transaction, rows)).length;
}
