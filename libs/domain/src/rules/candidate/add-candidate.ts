import { type Transaction } from '@ats/postgres';
import { candidates } from '../../objects/user.model.js';
import { insertObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { addHistory } from '../history/history.js';

/** The change that the history shows when an activation e-mail is queued. */
export const QUEUED_MAIL = { path: '/activation_mail', old: null, new: 'queued' } as const;

/**
 * Adds a candidate and sends no activation link. Only `POST /candidates` below version 1.8 sends links: the history
 * entry of a candidate who is `pending_activation` also records the e-mail that the caller queues.
 * @returns the id of the candidate
 * @throws {ValidationError} as `insertObject`
 */
export async function addCandidate(
  transaction: Transaction,
  body: WriteBody,
  added: { readonly recruiterId: number; readonly status?: 'active' | 'pending_activation' },
): Promise<number> {
  const { recruiterId, status = 'active' } = added;
  const id = await insertObject(transaction, candidates, body, { status });
  const mail = status === 'pending_activation' ? { changes: [QUEUED_MAIL] } : {};
  await addHistory(transaction, { type: 'created', subjectType: 'candidate', subjectId: id, recruiterId, ...mail });
  return id;
}
