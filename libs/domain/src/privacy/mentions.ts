import { runStatement, type Transaction } from '@ats/postgres';
import { recordTopicChange } from '../notification/topics/topic-index-lock.js';
import { notificationTopics } from '../objects/notification.model.js';
import { type Resource } from '../vocabulary/resource.js';
import { type MentionColumn, type MentionPlace, mentionPlaces } from './mention-places.js';
import { type MentionedPerson, readRows, writeColumn } from './mention-rows.js';
import { type FoundRows, type PlaceRows } from './mention-search.js';
import { digestOf, type Mentions, mentionsIn, withoutMentions } from './mention-texts.js';
import { type RemainingMention, type RemovalReport } from './removal-report.js';

/** Maximum number of rows whose texts are in memory at the same time. */
const BATCH = 200;

/** The row key that is stored for a place with too many texts. No row has this key. */
const TOO_MANY = '0';

/** One column of one row in which the person is mentioned. */
interface FoundMention {
  readonly place: MentionPlace;
  readonly column: MentionColumn;
  readonly key: string;
  readonly reference: RemainingMention;
  readonly value: unknown;
  readonly mentions: Mentions;
}

/** Finds the mentions in one text of one row. */
type FindMentions = (text: Pick<FoundMention, 'place' | 'column' | 'key' | 'value'>) => Mentions;

/** Rows whose texts may mention a person, and the function that finds the mentions in a text. */
export interface PossibleMentions {
  readonly rows: readonly PlaceRows[];
  readonly tooManyIn: readonly MentionPlace[];
  readonly find: FindMentions;
}

/** Converts the result of a search to the argument of {@link resolveMentions}. */
export const foundMentions = ({ values, rows, tooManyIn }: FoundRows): PossibleMentions => ({
  rows,
  tooManyIn,
  find: ({ column, value }) => mentionsIn(value, column.content, values),
});

interface RememberedMention {
  readonly place: string;
  readonly row_key: string;
  readonly column_name: string;
  readonly spans: Mentions;
  readonly digest: Buffer;
}

/**
 * Reads and deletes the remembered mentions of a person. A text that has changed since the mention was remembered
 * counts as a text without mentions. Pass the result to {@link resolveMentions}.
 */
export async function takeRememberedMentions({ transaction, personId }: MentionedPerson): Promise<PossibleMentions> {
  const remembered = await runStatement<RememberedMention>(
    transaction,
    `DELETE FROM anonymised_mentions WHERE person_id = $1 RETURNING place, row_key, column_name, spans, digest`,
    [personId],
  );
  const texts = remembered.filter(({ row_key }) => row_key !== TOO_MANY);
  const byText = new Map(texts.map((text) => [textKey(text.place, text.row_key, text.column_name), text]));
  const keys = new Map<string, Set<string>>();
  for (const { place, row_key } of texts) keys.set(place, (keys.get(place) ?? new Set()).add(row_key));
  const tooMany = new Set(remembered.filter(({ row_key }) => row_key === TOO_MANY).map(({ place }) => place));
  return {
    rows: mentionPlaces().map((place) => ({ place, keys: [...(keys.get(place.name) ?? [])] })),
    tooManyIn: mentionPlaces().filter(({ name }) => tooMany.has(name)),
    find({ place, column, key, value }) {
      const text = byText.get(textKey(place.name, key, column.column));
      const isSame = text && digestOf(withoutMentions(value, column.content, text.spans)).equals(text.digest);
      return isSame ? text.spans : {};
    },
  };
}

const textKey = (...names: readonly string[]): string => names.join('\n');

/**
 * Replaces the mentions of a person in all texts when `isEverywhere` is true. Texts that other systems or rows refer to
 * are keys, and never change. Remembers each mention that remains, and reports it. The caller must hold
 * `lockTopicIndex` when mentions are replaced. The replacement raises no event and adds no history entry, because both
 * would store the old text again.
 */
export async function resolveMentions(
  person: MentionedPerson,
  { rows, tooManyIn, find }: PossibleMentions,
  { isEverywhere, report }: { readonly isEverywhere: boolean; readonly report: RemovalReport },
): Promise<void> {
  const cleared = new Map<Resource, Set<number>>();
  const left: RemainingMention[] = [];
  for (const { place, keys } of rows) {
    const ofPlace: Omit<FoundMention, 'value' | 'mentions'>[] = [];
    for (let index = 0; index < keys.length; index += BATCH) {
      const found = await mentionsInRows(person, place, { keys: keys.slice(index, index + BATCH), find });
      const isKept = ({ column }: FoundMention): boolean => !isEverywhere || column.content === 'key';
      const kept = found.filter(isKept);
      await rememberMentions(person, kept);
      ofPlace.push(...kept.map(({ column, key, reference }) => ({ place, column, key, reference })));
      const ids = await clearMentions(
        person.transaction,
        found.filter((mention) => !isKept(mention)),
      );
      if (ids.length > 0) cleared.set(place.resource, new Set([...(cleared.get(place.resource) ?? []), ...ids]));
    }
    // The sort is stable, so the columns of a row keep their order.
    ofPlace.sort((a, b) => a.reference.id - b.reference.id || (a.key < b.key ? -1 : Number(a.key > b.key)));
    left.push(...ofPlace.map(({ reference }) => reference));
  }
  await rememberPlaces(person, tooManyIn);
  for (const [resource, ids] of cleared) await recordClearing(person.transaction, resource, { ids: [...ids], report });
  // A text that is stored in two forms (HTML and plain text) is reported once.
  report.remaining = [...new Map(left.map((text) => [`${text.url}#${text.property}`, text])).values()];
  report.tooManyIn = [...new Set(tooManyIn.map(({ resource }) => resource.name))];
}

async function mentionsInRows(
  person: MentionedPerson,
  place: MentionPlace,
  { keys, find }: { readonly keys: readonly string[]; readonly find: FindMentions },
): Promise<readonly FoundMention[]> {
  const found: FoundMention[] = [];
  for (const row of await readRows(person, place, keys))
    for (const [index, column] of place.columns.entries()) {
      const text = { place, column, key: row.row_key, value: row[`c${index}`] };
      const mentions = find(text);
      if (Object.keys(mentions).length === 0) continue;
      const { item_id: id, url, pointer } = row;
      const reference = { resource: place.resource.name, id, url, property: `${pointer}${column.property}` };
      found.push({ ...text, mentions, reference });
    }
  return found;
}

/**
 * Remembers where mentions are, so that a later call can replace them although the values of the person are gone. It
 * stores the offsets of the mentions, and a digest of the text without them.
 */
const rememberMentions = ({ transaction, personId }: MentionedPerson, found: readonly FoundMention[]): Promise<void> =>
  remember(
    transaction,
    personId,
    found.map(({ place, column, key, value, mentions }) => ({
      place: place.name,
      row_key: key,
      column_name: column.column,
      spans: mentions,
      digest: digestOf(withoutMentions(value, column.content, mentions)),
    })),
  );

const rememberPlaces = ({ transaction, personId }: MentionedPerson, places: readonly MentionPlace[]): Promise<void> =>
  remember(
    transaction,
    personId,
    places.map(({ name }) => ({ place: name, row_key: TOO_MANY, column_name: '', spans: {}, digest: Buffer.alloc(0) })),
  );

async function remember(
  transaction: Transaction,
  personId: number,
  remembered: readonly RememberedMention[],
): Promise<void> {
  if (remembered.length === 0) return;
  await runStatement(
    transaction,
    `INSERT INTO anonymised_mentions (person_id, place, row_key, column_name, spans, digest)
     SELECT $1::bigint, place, row_key, column_name, spans::jsonb, digest
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
       AS m(place, row_key, column_name, spans, digest)
     ON CONFLICT DO NOTHING`,
    [
      personId,
      remembered.map(({ place }) => place),
      remembered.map(({ row_key }) => row_key),
      remembered.map(({ column_name }) => column_name),
      remembered.map(({ spans }) => JSON.stringify(spans)),
      remembered.map(({ digest }) => digest),
    ],
  );
}

/**
 * Replaces the mentions in the rows of one place, with one statement for each column.
 * @returns the ids of the items
 */
async function clearMentions(transaction: Transaction, found: readonly FoundMention[]): Promise<readonly number[]> {
  for (const column of new Set(found.map((mention) => mention.column))) {
    const rows = found.filter((mention) => mention.column === column);
    const [{ place } = { place: undefined }] = rows;
    if (!place) continue;
    await writeColumn(
      transaction,
      { place, column },
      rows.map(({ key, value, mentions }) => ({ key, value: withoutMentions(value, column.content, mentions) })),
    );
  }
  return found.map(({ reference }) => reference.id);
}

async function recordClearing(
  transaction: Transaction,
  { name, type }: Resource,
  { ids, report }: { readonly ids: readonly number[]; readonly report: RemovalReport },
): Promise<void> {
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
  if (name === notificationTopics.name) for (const id of ids) await recordTopicChange(transaction, id);
}
