import { runStatement, type Transaction } from '@ats/postgres';
import { lockTopicIndex } from '../notification/topics/topic-index-lock.js';
import { addAuditEntry } from '../rules/audit/audit-log.js';
import { type Resource } from '../vocabulary/resource.js';
import { lockObject } from '../writing/lock-object.js';
import { type MentionedPerson } from './mention-rows.js';
import { findRowsWithMentions, type FoundRows } from './mention-search.js';
import { foundMentions, resolveMentions, takeRememberedMentions } from './mentions.js';
import { type PersonValues } from './person-values.js';
import { readPersonValues } from './read-person-values.js';
import { RemovalReport } from './removal-report.js';

/** What differs between anonymising a candidate and a recruiter. */
export interface PersonRemoval {
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
  /** True to also replace the mentions of the person in the texts of others. */
  readonly isEverywhere?: boolean;
  /**
   * Removes the person's own data and sets the status `anonymised`. It is not called for a person who is already
   * anonymised.
   */
  readonly remove: () => Promise<RemovalReport>;
}

/**
 * Removes a person's own data. Finds the mentions of the person in the texts of others, and replaces them when
 * `isEverywhere` is true.
 * @throws {NotFoundError} when there is no such person
 */
export async function anonymisePerson(
  transaction: Transaction,
  resource: Resource,
  id: number,
  { baseUrl, isEverywhere = false, remove }: PersonRemoval,
): Promise<RemovalReport> {
  const person = { transaction, personId: id, baseUrl };
  // The search can take seconds. So it runs before the locks below, which block matching and writes of the person.
  const before = await search(person, resource);
  // Locks are taken in the same order as in matching: the topic index before rows of events. Another order could
  // deadlock.
  if (isEverywhere) await lockTopicIndex(transaction);
  await lockObject(transaction, resource, id);
  const isDone = await isAnonymised(transaction, id);
  const mentions = isDone
    ? await takeRememberedMentions(person)
    : foundMentions(await upToDate(person, resource, before));
  const report = isDone ? new RemovalReport() : await remove();
  await resolveMentions(person, mentions, { isEverywhere, report });
  if (report.removals.length > 0)
    await addAuditEntry(transaction, { action: 'anonymised', collection: resource.name, itemIds: [id] });
  return report;
}

interface Search {
  /** All values of the person. */
  readonly values: PersonValues;
  readonly found: FoundRows;
}

/**
 * Searches texts for the values of a person. It finds nothing for an anonymised person, whose values no longer exist.
 */
async function search(person: MentionedPerson, { type }: Resource): Promise<Search | undefined> {
  const { transaction, personId } = person;
  if (await isAnonymised(transaction, personId)) return undefined;
  const values = await readPersonValues(transaction, type, personId);
  return { values, found: await findRowsWithMentions(person, values) };
}

/**
 * Repeats the search when the values of the person have changed since the search `before`. The person must be locked.
 */
async function upToDate(person: MentionedPerson, resource: Resource, before: Search | undefined): Promise<FoundRows> {
  const values = await readPersonValues(person.transaction, resource.type, person.personId);
  return before?.values.equals(values) ? before.found : findRowsWithMentions(person, values);
}

/** True when the user is anonymised. */
export async function isAnonymised(transaction: Transaction, userId: number): Promise<boolean> {
  const rows = await runStatement(transaction, `SELECT 1 FROM users WHERE id = $1 AND status = 'anonymised'`, [userId]);
  return rows.length > 0;
}
