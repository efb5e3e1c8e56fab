import { runStatement, type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { candidate } from '../objects/user.model.js';
import { tableOf } from '../reading/representation-sql.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/**
 * Deletes the stored queries that compare personal data with a name, a phone number or an address of the candidate, or
 * with a part of one. Their handles become unknown. Call this function before the person's own data is removed.
 * @returns the number of deleted queries
 */
export async function deleteQueriesAboutPerson(transaction: Transaction, candidateId: number): Promise<number> {
  const rows = await runStatement(
    transaction,
    `WITH persons AS (SELECT lower(text) AS text FROM (${identifyingTexts()}) t WHERE text <> '')
     DELETE FROM stored_queries q
     WHERE q.personal_values IS NOT NULL AND EXISTS (
       SELECT FROM persons p, lower(q.personal_values) AS compared
       WHERE strpos(compared, p.text) > 0
         OR EXISTS (SELECT FROM unnest(q.personal_parts) part WHERE strpos(p.text, lower(part)) > 0))
     RETURNING 1 AS one`,
    [candidateId],
  );
  return rows.length;
}

/** SQL that reads the names, phone numbers and addresses of the candidate `$1`, one a row. */
function identifyingTexts(): string {
  const elements = Object.values(candidate.relations).flatMap(({ many, target, foreignKey }) =>
    many && foreignKey ? textsIn(getObjectType(target), foreignKey) : [],
  );
  return [...textsIn(candidate, 'id'), ...elements].join(' UNION ALL ');
}

/** One SELECT for each identifying attribute of a type. */
const textsIn = (type: ObjectType, key: string): readonly string[] =>
  Object.values(type.attributes)
    .filter(({ identifying }) => identifying)
    .map((attribute) => `SELECT ${attribute.sql('t', {})} AS text FROM ${tableOf(type)} t WHERE t.${key} = $1`);
