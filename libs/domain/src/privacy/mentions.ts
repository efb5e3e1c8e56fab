import { runStatement, type Transaction } from '@ats/postgres';
import { recordTopicChange } from '../notification/topics/topic-index-lock.js';
import { notificationTopics } from '../objects/notification.model.js';
import { sqlSettings } from '../reading/representation-sql.js';
import { digestOf, type Mentions, mentionsIn, withoutMentions } from './mention-texts.js';
import { type MentionColumn, type MentionPlace, mentionPlaces } from './mention-places.js';
import { type PersonValues } from './person-values.js';
import { type RemainingMention, type RemovalReport } from './removal-report.js';

/** A person, and the settings of the references to texts about the person. */
export interface MentionedPerson {
  readonly transaction: Transaction;
  readonly personId: number;
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
}

/** Number of mentions that one statement stores. A person whose name is a common word can have many. */
const BATCH = 1_000;

/** One column of one row that mentions the person. */
interface FoundMention {
  readonly place: MentionPlace;
  readonly column: MentionColumn;
  readonly key: string;
  readonly reference: RemainingMention;
  readonly value: unknown;
  readonly mentions: Mentions;
}

interface Row extends Readonly<Record<`c${number}`, unknown>> {
  readonly row_key: string;
  readonly item_id: number;
  readonly url: string;
  readonly pointer: string;
}

/** Finds the texts of others that mention a person. Call it after the person's own data is removed. */
export async function findMentions(person: MentionedPerson, values: PersonValues): Promise<readonly FoundMention[]> {
  const { patterns } = values;
  const found: FoundMention[] = [];
  if (patterns.length === 0) return found;
  for (const place of mentionPlaces()) {
    const rows = await readRows(person, place, { condition: containsSql(place), parameter: patterns });
    for (const row of rows)
      for (const [index, column] of place.columns.entries()) {
        const value = row[`c${index}`];
        const mentions = mentionsIn(value, column.content, values);
        if (Object.keys(mentions).length > 0) found.push({ ...at(place, column, row), value, mentions });
      }
  }
  return found;
}

/** SQL condition: a column of the row contains one of the patterns `$2`. */
function containsSql({ columns, indexed, row }: MentionPlace): string {
  const others = columns.filter(({ column }) => !indexed?.columns.has(column));
  const texts = others.map(({ column, isArray, isJson }) => {
    const sql = `${row}.${column}`;
    return `fold(${isArray ? `joined_texts(${sql})` : isJson ? `${sql}::text` : sql})`;
  });
  const all = indexed && others.length < columns.length ? [indexed.sql, ...texts] : texts;
  return `(${all.map((sql) => `${sql} LIKE ANY($2::text[])`).join(' OR ')})`;
}

async function readRows(
  { transaction, personId, baseUrl }: MentionedPerson,
  place: MentionPlace,
  { condition, parameter }: { readonly condition: string; readonly parameter: unknown },
): Promise<readonly Row[]> {
  const settings = sqlSettings({ baseUrl, language: 'en' });
  const url = place.url?.(settings.baseUrl ?? `''`) ?? place.resource.type.attributes['url']?.sql('item', settings);
  const columns = place.columns.map(({ column }, index) => `${place.row}.${column} AS c${index}`);
  return runStatement<Row>(
    transaction,
    `SELECT ${place.key} AS row_key, ${place.itemId} AS item_id, ${url} AS url, ${place.pointer} AS pointer,
       ${columns.join(', ')}
     FROM ${place.from} WHERE ${[...place.where, '$1::bigint IS NOT NULL', condition].join(' AND ')}
     ORDER BY item_id, row_key`,
    [personId, parameter],
  );
}

const at = (place: MentionPlace, column: MentionColumn, row: Row): Omit<FoundMention, 'value' | 'mentions'> => ({
  place,
  column,
  key: row.row_key,
  reference: {
    resource: place.resource.name,
    id: row.item_id,
    url: row.url,
    property: `${row.pointer}${column.property}`,
  },
});

/**
 * Remembers the places of mentions, so that a later call can clear them although the values of the person are gone.
 * The memory has offsets and a digest of the text without the mentions.
 */
export async function rememberMentions(person: MentionedPerson, found: readonly FoundMention[]): Promise<void> {
  const { transaction, personId } = person;
  for (let index = 0; index < found.length; index += BATCH) {
    const batch = found.slice(index, index + BATCH);
    await runStatement(
      transaction,
      `INSERT INTO anonymised_mentions (person_id, place, row_key, column_name, spans, digest)
       SELECT $1::bigint, place, row_key, column_name, spans::jsonb, digest
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
         AS m(place, row_key, column_name, spans, digest)
       ON CONFLICT DO NOTHING`,
      [
        personId,
        batch.map(({ place }) => place.name),
        batch.map(({ key }) => key),
        batch.map(({ column }) => column.column),
        batch.map(({ mentions }) => JSON.stringify(mentions)),
        batch.map(({ value, column, mentions }) => digestOf(withoutMentions(value, column.content, mentions))),
      ],
    );
  }
}

interface RememberedMention {
  readonly place: string;
  readonly row_key: string;
  readonly column_name: string;
  readonly spans: Mentions;
  readonly digest: Buffer;
}

/**
 * Finds the remembered mentions that are still there, and forgets all. Call {@link rememberMentions} with those that are
 * left.
 */
export async function findRememberedMentions(person: MentionedPerson): Promise<readonly FoundMention[]> {
  const { transaction, personId } = person;
  const remembered = await runStatement<RememberedMention>(
    transaction,
    `DELETE FROM anonymised_mentions WHERE person_id = $1 RETURNING place, row_key, column_name, spans, digest`,
    [personId],
  );
  const found: FoundMention[] = [];
  for (const place of mentionPlaces())
    for (const { row_key, column_name, spans, digest } of remembered.filter((one) => one.place === place.name)) {
      const [row] = await readRows(person, place, { condition: keySql(place, '$2'), parameter: row_key });
      const index = place.columns.findIndex(({ column }) => column === column_name);
      const column = place.columns[index];
      if (!row || !column) continue;
      const value = row[`c${index}`];
      if (digestOf(withoutMentions(value, column.content, spans)).equals(digest))
        found.push({ ...at(place, column, row), value, mentions: spans });
    }
  return found;
}

/** SQL condition: the row has the key in a parameter. The index of the ids answers it where rows have ids. */
const keySql = ({ key, row }: MentionPlace, parameter: string): string =>
  key === `${row}.id::text` ? `${row}.id = ${parameter}::text::bigint` : `${key} = ${parameter}::text`;

/**
 * Clears mentions of a person, except in texts that other systems or rows refer to. `lockTopicIndex` must be held. The
 * change raises no event and gets
 * no history entry, because both would store the old text again.
 * @returns the mentions that are left
 */
export async function clearMentions(
  { transaction }: Pick<MentionedPerson, 'transaction'>,
  found: readonly FoundMention[],
  report: RemovalReport,
): Promise<readonly FoundMention[]> {
  const cleared = found.filter(({ column }) => column.content !== 'key');
  const topics = idsOf(cleared, notificationTopics.name);
  for (const { place, column, key, value, mentions } of cleared) {
    const left = withoutMentions(value, column.content, mentions);
    await runStatement(
      transaction,
      `UPDATE ${place.table} ${place.row} SET ${column.column} = $2 WHERE ${keySql(place, '$1')}`,
      [key, column.isJson ? JSON.stringify(left) : left],
    );
  }
  for (const { name, type } of new Set(cleared.map(({ place }) => place.resource))) {
    const ids = idsOf(cleared, name);
    await runStatement(
      transaction,
      `UPDATE ${type.table} SET updated_dt = date_trunc('milliseconds', clock_timestamp()) WHERE id = ANY($1)`,
      [ids],
    );
    report.addItems(
      name,
      'cleared',
      ids.map((id) => ({ id })),
    );
  }
  for (const id of topics) await recordTopicChange(transaction, id);
  return found.filter(({ column }) => column.content === 'key');
}

const idsOf = (found: readonly FoundMention[], resource: string): readonly number[] => [
  ...new Set(found.filter(({ reference }) => reference.resource === resource).map(({ reference }) => reference.id)),
];

/** References to the texts with mentions. A text that is stored in two forms is listed once. */
export const referencesTo = (found: readonly FoundMention[]): readonly RemainingMention[] => [
  ...new Map(found.map(({ reference }) => [`${reference.url}#${reference.property}`, reference])).values(),
];
