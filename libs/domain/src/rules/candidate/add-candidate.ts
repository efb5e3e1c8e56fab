import { type Transaction } from '@ats/postgres';
import { candidates } from '../../objects/user.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { bodyViolations } from '../../writing/body-violations.js';
import { insertObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { claimDocuments, documentViolations, type NamedDocuments } from '../document/documents.js';
import { addHistory } from '../history/history.js';

/** The change in a history entry which records that an activation e-mail was queued. */
export const QUEUED_MAIL = { path: '/activation_mail', old: null, new: 'queued' } as const;

/**
 * Adds a candidate. Sends no activation link: only `POST /candidates` below version 1.8 sends one. For this request,
 * the history entry of a candidate who is `pending_activation` also records the e-mail that the caller queues.
 * @returns the id of the candidate
 * @throws {ValidationError} like `insertObject`, and for documents that the candidate cannot have
 */
export async function addCandidate(
  transaction: Transaction,
  body: WriteBody,
  added: {
    readonly recruiterId: number;
    readonly status?: 'active' | 'pending_activation';
    /** The documents of the new candidate. */
    readonly documents?: NamedDocuments;
  },
): Promise<number> {
  const { recruiterId, status = 'active', documents } = added;
  const found = documents ? await documentViolations(transaction, documents) : [];
  if (found.length > 0)
    throw new ValidationError(candidates.name, [...(await bodyViolations(transaction, candidates, body)), ...found]);
  const id = await insertObject(transaction, candidates, body, { status });
  await claimDocuments(transaction, (documents?.given ?? []) as readonly number[], { column: 'candidate_id', id });
  const mail = status === 'pending_activation' ? { changes: [QUEUED_MAIL] } : {};
  await addHistory(transaction, { type: 'created', subjectType: 'candidate', subjectId: id, recruiterId, ...mail });
  return id;
}
