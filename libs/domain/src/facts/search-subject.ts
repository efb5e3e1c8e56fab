import { type SearchSubject } from '@ats/search-query';
import { type RunQuery } from '../reading/run-query.js';
import { searchSubject } from '../reading/search-subject.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { modelForNewTexts } from './closed-values.js';
import { modelForTexts } from './form-items.js';

export interface SubjectOptions {
  /** True for texts that were checked when they were written. Values outside closed lists are accepted. */
  readonly isStored?: boolean;
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
  { isStored = false }: SubjectOptions = {},
): Promise<SearchSubject> {
  const model = await (isStored ? modelForTexts(run, texts) : modelForNewTexts(run, texts));
  const clock = await clockForTexts(run, texts);
  return { ...searchSubject(type, model), isStored, ...(clock && { clock }) };
}

/** Reads the time and the system's time zone. When no text needs them, no SQL statement is run. */
async function clockForTexts(run: RunQuery, texts: readonly string[]): Promise<SearchSubject['clock']> {
  if (!texts.some((text) => /DATE\s*\(/i.test(text))) return undefined;
  const [row] = await run('SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1', []);
  return row && { now: row['now'] as Date, timeZone: String(row['timezone']) };
}
