import { type SearchSubject, whereNeedsClock } from '@ats/search-query';
import { type RunQuery } from '../reading/run-query.js';
import { searchSubject } from '../reading/search-subject.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { modelForNewTexts } from './closed-values.js';
import { modelForTexts } from './form-items.js';

export interface SubjectOptions {
  /**
   * True for texts that were checked when they were stored. Such texts are accepted even if their values are no longer
   * in closed lists.
   */
  readonly isStored?: boolean;
  /** A whole expression, in addition to the texts. */
  readonly where?: string | undefined;
}

/**
 * Returns the names, values and dates that search and sort parameters can use: the form items that the texts name, the
 * closed lists of values, and the clock for `DATE("today")`. The function reads the clock from the database only
 * when a parameter needs the clock.
 * @param type  the type of the collection's items
 * @param texts  the parameters
 */
export async function subjectForTexts(
  run: RunQuery,
  type: ObjectType,
  texts: readonly string[],
  { isStored = false, where }: SubjectOptions = {},
): Promise<SearchSubject> {
  const all = where === undefined ? texts : [...texts, where];
  const model = await (isStored ? modelForTexts(run, all) : modelForNewTexts(run, all));
  const subject = { ...searchSubject(type, model), isStored };
  const needsClock = texts.some(namesDate) || (where !== undefined && whereNeedsClock(subject, where));
  const clock = needsClock ? await readClock(run) : undefined;
  return { ...subject, ...(clock && { clock }) };
}

const namesDate = (text: string): boolean => /DATE\s*\(/i.test(text);

/** Reads the time and the system's time zone. */
async function readClock(run: RunQuery): Promise<SearchSubject['clock']> {
  const [row] = await run('SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1', []);
  return row && { now: row['now'] as Date, timeZone: String(row['timezone']) };
}
