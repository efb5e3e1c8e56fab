import { runStatement, type Transaction } from '@ats/postgres';
import { candidate } from '../objects/user.model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { identifyingTexts } from './identifying-texts.js';

/**
 * Deletes the stored queries that compare personal data with a name, phone number or address of a person, or with a
 * part of one. Their handles are unknown afterwards. Call this function before the person's own data is removed.
 * @returns the number of deleted queries
 */
export async function deleteQueriesAboutPerson(
  transaction: Transaction,
  personId: number,
  type: ObjectType = candidate,
): Promise<number> {
  const rows = await runStatement(
    transaction,
    `WITH persons AS (SELECT lower(text) AS text FROM (${identifyingTexts(type)}) t WHERE text <> '')
     DELETE FROM stored_queries q
     WHERE q.personal_values IS NOT NULL AND EXISTS (
       SELECT FROM persons p, lower(q.personal_values) AS compared
       WHERE strpos(compared, p.text) > 0
         OR EXISTS (SELECT FROM unnest(q.personal_parts) part WHERE strpos(p.text, lower(part)) > 0))
     RETURNING 1 AS one`,
    [personId],
  );
  return rows.length;
}
