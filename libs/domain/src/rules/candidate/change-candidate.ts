import { type Transaction } from '@ats/postgres';
import { candidates } from '../../objects/user.model.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Change } from '../../writing/object-changes.js';
import { replaceObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { addHistory } from '../history/history.js';

/**
 * Replaces the values of a candidate. Adds a history entry when a value changes.
 * @returns the changed properties
 * @throws {ValidationError} like `replaceObject`
 */
export async function changeCandidate(
  transaction: Transaction,
  { id, body, recruiterId }: { readonly id: number; readonly body: WriteBody; readonly recruiterId: number },
  settings: ReadSettings,
): Promise<readonly Change[]> {
  const { changes } = await replaceObject(transaction, candidates, { id, body }, settings);
  if (changes.length > 0)
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'candidate',
      subjectId: id,
      recruiterId,
      changes,
    });
  return changes;
}
