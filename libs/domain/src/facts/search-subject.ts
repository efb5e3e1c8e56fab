import { type SearchSubject } from '@ats/search-query';
import { type RunQuery } from '../reading/run-query.js';
import { searchSubject } from '../reading/search-subject.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { modelForNewTexts } from './closed-values.js';
import { modelForTexts } from './form-items.js';

export interface SubjectOptions {
  /** True for texts that were checked when they were written. Values outside closed lists are accepted. */
  readonly isStored?: boolean;
  /** An expression among the texts. It needs the clock even when it does not name it. */
  readonly where?: string | undefined;
}

/**
 * The names, values and dates that search and sort parameters can use: with the form items that they name, the closed
 * lists of values, and the clock for `DATE("today")`.
 * @param type   the type of the collection's items
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
  const clock = where !== undefined || texts.some(namesDate) ? await readClock(run) : undefined;
  return { ...searchSubject(type, model), isStored, ...(clock && { clock }) };
}

const namesDate = (text: string): boolean => /DATE\s*\(/i.test(text);

/** Reads the time and the system's time zone. */
async function readClock(run: RunQuery): Promise<SearchSubject['clock']> {
  const [row] = await run('SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1', []);
  return row && { now: row['now'] as Date, timeZone: String(row['timezone']) };
}
