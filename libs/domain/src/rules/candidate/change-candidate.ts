import { type Transaction } from '@ats/postgres';
import { candidates } from '../../objects/user.model.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type ReplacedObject, type Replacement, replaceObject } from '../../writing/write-object.js';
import { addHistory } from '../history/history.js';

interface ChangedCandidate extends Pick<ReplacedObject, 'id' | 'body' | 'present'> {
  readonly recruiterId: number;
}

/**
 * Replaces the values of a candidate. Adds a history entry when a value changes.
 * @throws {ValidationError} like `replaceObject`
 */
export async function changeCandidate(
  transaction: Transaction,
  { recruiterId, ...target }: ChangedCandidate,
  settings: ReadSettings,
): Promise<Replacement> {
  const replacement = await replaceObject(transaction, candidates, target, settings);
  const { changes } = replacement;
  if (changes.length > 0)
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'candidate',
      subjectId: target.id,
      recruiterId,
      changes,
    });
  return replacement;
}
