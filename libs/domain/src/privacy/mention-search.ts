import { type MentionPlace, mentionPlaces } from './mention-places.js';
import { countRows, findRowKeys, type MentionedPerson } from './mention-rows.js';
import { type PersonValues } from './person-values.js';

/** A single word that occurs in more texts than this identifies nobody. The texts of one row count once. */
export const MAX_TEXTS = 1_000;

/** Rows of one place. */
export interface PlaceRows {
  readonly place: MentionPlace;
  readonly keys: readonly string[];
}

/** The rows of others that have a value of a person in a text. */
export interface FoundRows {
  /** The values that were searched for. Values in too many texts are left out. */
  readonly values: PersonValues;
  readonly rows: readonly PlaceRows[];
  /** Places whose texts have a word that is in more than {@link MAX_TEXTS} texts. The word is not searched for. */
  readonly tooManyIn: readonly MentionPlace[];
}

/**
 * Searches the texts of others for the values of a person. A single word in more than {@link MAX_TEXTS} texts is left
 * out, so that the result stays small for a person whose name is a common word. The search takes no locks.
 */
export async function findRowsWithMentions(person: MentionedPerson, values: PersonValues): Promise<FoundRows> {
  const few = await findRows(person, values, MAX_TEXTS);
  if (few) return { values, rows: few, tooManyIn: [] };
  const { rare, tooManyIn } = await findRareValues(person, values);
  return { values: rare, rows: (await findRows(person, rare, null)) ?? [], tooManyIn };
}

/** @returns undefined when more rows than the limit have one of the values */
async function findRows(
  person: MentionedPerson,
  values: PersonValues,
  limit: number | null,
): Promise<readonly PlaceRows[] | undefined> {
  const found: PlaceRows[] = [];
  if (values.isEmpty) return found;
  let count = 0;
  for (const place of mentionPlaces()) {
    const keys = await findRowKeys(person, place, { values, limit: limit === null ? null : limit - count + 1 });
    count += keys.length;
    if (limit !== null && count > limit) return undefined;
    if (keys.length > 0) found.push({ place, keys });
  }
  return found;
}

/** Counts the texts with each word, up to the limit. A value that is no single word is always searched for. */
async function findRareValues(
  person: MentionedPerson,
  values: PersonValues,
): Promise<{ readonly rare: PersonValues; readonly tooManyIn: readonly MentionPlace[] }> {
  const counted = values.singles
    .filter((value) => !value.isStrong)
    .map((value) => ({ value, count: 0, places: [] as MentionPlace[] }));
  for (const place of mentionPlaces()) {
    const counts = await countRows(
      person,
      place,
      // One text in a place is enough to name the place.
      counted.map(({ value, count }) => ({ values: value, limit: Math.max(1, MAX_TEXTS - count + 1) })),
    );
    for (const [index, count] of counts.entries()) {
      const one = counted[index];
      if (!one || count === 0) continue;
      one.count += count;
      one.places.push(place);
    }
  }
  const isRare = ({ count }: { readonly count: number }): boolean => count <= MAX_TEXTS;
  const places = new Set(counted.filter((one) => !isRare(one)).flatMap((one) => one.places));
  return {
    rare: values.without(counted.filter((one) => !isRare(one)).flatMap(({ value }) => value.values)),
    tooManyIn: mentionPlaces().filter((place) => places.has(place)),
  };
}
