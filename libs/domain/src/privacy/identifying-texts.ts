import { foldSql } from '@ats/search-query';
import { runStatement, type Transaction } from '@ats/postgres';
import { getObjectType } from '../objects/object-model.js';
import { candidate } from '../objects/user.model.js';
import { communication } from '../objects/communication.model.js';
import { tableOf } from '../reading/representation-sql.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** SQL that reads the names, phone numbers and addresses of the person `$1`, each in a row. */
export function identifyingTexts(person: ObjectType = candidate): string {
  const elements = Object.values(person.relations).flatMap(({ many, target, foreignKey }) =>
    many && foreignKey ? textsIn(getObjectType(target), foreignKey) : [],
  );
  return [...textsIn(person, 'id'), ...elements].join(' UNION ALL ');
}

/**
 * Returns the given values that a name, phone number or address of the candidate contains. Case does not matter. No
 * other value can find the candidate. One statement checks all values.
 */
export async function valuesOfPerson(
  transaction: Transaction,
  candidateId: number,
  values: readonly string[],
): Promise<ReadonlySet<string>> {
  if (values.length === 0) return new Set();
  const texts = [identifyingTexts(), ...textsIn(communication, 'user_id')].join(' UNION ALL ');
  const rows = await runStatement<{ value: string }>(
    transaction,
    `WITH texts AS MATERIALIZED (SELECT DISTINCT ${foldSql('text')} AS text FROM (${texts}) t)
     SELECT value FROM unnest($2::text[]) AS v(value)
     CROSS JOIN LATERAL (SELECT ${foldSql('value')} AS folded OFFSET 0) f
     WHERE EXISTS (SELECT FROM texts WHERE strpos(texts.text, f.folded) > 0)`,
    [candidateId, values],
  );
  return new Set(rows.map(({ value }) => value));
}

/**
 * Returns one SELECT for each identifying attribute of a type. For a list of texts, it returns one row for each text.
 */
const textsIn = (type: ObjectType, key: string): readonly string[] =>
  Object.values(type.attributes)
    .filter(({ identifying }) => identifying)
    .map((attribute) => {
      const value = attribute.sql('t', {});
      return `SELECT ${attribute.many ? `unnest(${value})` : value} AS text FROM ${tableOf(type)} t WHERE t.${key} = $1`;
    });
