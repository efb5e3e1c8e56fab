import { runStatement, type Transaction } from '@ats/postgres';
import { tableOf } from '../reading/representation-sql.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { identifyingTexts } from './identifying-texts.js';
import { mentionWords, personTypes } from './mention-words.js';
import { PersonValues } from './person-values.js';

/** Minimum length of a value that is searched for. Shorter values occur too often in other words or abbreviations. */
const MIN_LENGTH = 3;

/**
 * Reads the values that identify a person and no other user. A value that other users share, such as a common first
 * name, is left out. Call this function before the person's data is removed.
 */
export async function readPersonValues(
  transaction: Transaction,
  person: ObjectType,
  id: number,
): Promise<PersonValues> {
  const rows = await runStatement<{ value: string }>(
    transaction,
    `WITH own AS MATERIALIZED (
       SELECT DISTINCT fold(btrim(text)) AS value FROM (${identifyingTexts(person)}) t WHERE length(btrim(text)) >= $2)
     SELECT value FROM own, mention_query(ARRAY[value]) AS words WHERE NOT (${isShared()})`,
    [id, MIN_LENGTH],
  );
  return new PersonValues(rows.map(({ value }) => value));
}

/**
 * SQL condition that is true when another user than `$1` has the folded text `value`, too. `words` has its words, by
 * which an index finds the rows to compare.
 */
const isShared = (): string =>
  personTypes()
    .map(({ type, key }) => {
      const texts = Object.values(type.attributes)
        .filter(({ identifying }) => identifying)
        .map((attribute) => attribute.foldedSql?.('t') ?? `fold(${attribute.sql('t', {})})`);
      return `EXISTS (SELECT FROM ${tableOf(type)} t WHERE t.${key} <> $1
        AND ${mentionWords(tableOf(type), 't')} @@ words AND value IN (${texts.join(', ')}))`;
    })
    .join(' OR ');
