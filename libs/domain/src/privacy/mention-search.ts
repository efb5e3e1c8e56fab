import { type MentionPlace, mentionPlaces } from './mention-places.js';
import { countRows, findRowKeys, type MentionedPerson } from './mention-rows.js';
import { type PersonValues } from './person-values.js';

/** A single word that occurs in more texts than this does not identify anybody. The texts of one row count once. */
export const MAX_TEXTS = 1_000;

/** Rows of one place. */
export interface PlaceRows {
  readonly place: MentionPlace;
  readonly keys: readonly string[];
}

/** The rows of others in which a text contains a value of a person. */
export interface FoundRows {
  /** The values that were searched for, without values that occur in too many texts. */
  readonly values: PersonValues;
  readonly rows: readonly PlaceRows[];
  /**
   * The places with texts that contain a word that occurs in more than {@link MAX_TEXTS} texts. That word is not
   * searched for.
   */
  readonly tooManyIn: readonly MentionPlace[];
}

/**
 * Searches the texts of others for the values of a person. It leaves out a single word that occurs in more than {@link
 * MAX_TEXTS} texts, so that the result stays small when a name is a common word. The search takes no locks.
 */
export async function findRowsWithMentions(person: MentionedPerson, values: PersonValues): Promise<FoundRows> {
  const few = await findRows(person, values, MAX_TEXTS);
  if (few) return { values, rows: few, tooManyIn: [] };
  const { rare, tooManyIn } = await findRareValues(person, values);
  return { values: rare, rows: (await findRows(person, rare, null)) ?? [], tooManyIn };
}

/**
 * Finds the rows of all places in which a text contains one of the values, up to a limit.
 * @returns undefined when more rows than the limit contain one of the values
 */
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

/**
 * Counts the texts with each single word, up to the limit, and returns the values that are rare enough. A value of
 * several words is always rare enough.
 */
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
      // A value that has too many texts already still reads one text of each further place. So the list of places also
      // has these places.
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
