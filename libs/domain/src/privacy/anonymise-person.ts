import { runStatement, type Transaction } from '@ats/postgres';
import { lockTopicIndex } from '../notification/topics/topic-index-lock.js';
import { addAuditEntry } from '../rules/audit/audit-log.js';
import { type Resource } from '../vocabulary/resource.js';
import { lockObject } from '../writing/lock-object.js';
import { clearMentions, findMentions, findRememberedMentions, referencesTo, rememberMentions } from './mentions.js';
import { readPersonValues } from './person-values.js';
import { RemovalReport } from './removal-report.js';

/** The parts of anonymising that depend on the kind of person. */
export interface PersonRemoval {
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
  /** True when texts of others that mention the person are cleared, too. */
  readonly isEverywhere?: boolean;
  /** Removes the person's own data and sets the status `anonymised`. Not called for an anonymised person. */
  readonly remove: () => Promise<RemovalReport>;
}

/**
 * Removes a person's own data, and finds or clears the texts of others that mention the person.
 * @throws {NotFoundError} when there is no such person
 */
export async function anonymisePerson(
  transaction: Transaction,
  resource: Resource,
  id: number,
  { baseUrl, isEverywhere, remove }: PersonRemoval,
): Promise<RemovalReport> {
  // Matching takes this lock before it locks rows of events, so it comes first here, too.
  if (isEverywhere) await lockTopicIndex(transaction);
  await lockObject(transaction, resource, id);
  const person = { transaction, personId: id, baseUrl };
  const isDone = await isAnonymised(transaction, id);
  const values = isDone ? undefined : await readPersonValues(transaction, resource.type, id);
  const report = isDone ? new RemovalReport() : await remove();
  const found = values ? await findMentions(person, values) : await findRememberedMentions(person);
  const left = isEverywhere ? await clearMentions(person, found, report) : found;
  await rememberMentions(person, left);
  report.remaining = referencesTo(left);
  if (report.removals.length > 0)
    await addAuditEntry(transaction, { action: 'anonymised', collection: resource.name, itemIds: [id] });
  return report;
}

/** True for a user who is anonymised. */
export async function isAnonymised(transaction: Transaction, userId: number): Promise<boolean> {
  const rows = await runStatement(transaction, `SELECT 1 FROM users WHERE id = $1 AND status = 'anonymised'`, [userId]);
  return rows.length > 0;
}
