import { deleteActivations } from '../rules/account-activation/account-activation.js';
import {
  application,
  applications as applicationsToVacancies,
  eventApplications,
} from '../objects/application.model.js';
import { notificationEvents } from '../objects/event.model.js';
import { communication, communications } from '../objects/communication.model.js';
import { documents } from '../objects/document.model.js';
import { deleteDocumentsOf } from '../rules/document/documents.js';
import { failCommunicationsOf } from '../rules/communication/communication-status.js';
import { runStatement, type Transaction } from '@ats/postgres';
import { formValuesTable } from '../objects/form-value.model.js';
import { noteChanges } from '../writing/event/note-changes.js';
import { addHistory } from '../rules/history/history.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { tableOf } from '../reading/representation-sql.js';
import { anonymisePerson, isAnonymised } from './anonymise-person.js';
import { blankColumns } from './blank-columns.js';
import { blankEvents } from './blank-events.js';
import { deleteDestinationAnswers } from '../notification/deliveries/delete-destination-answers.js';
import { deleteQueriesAboutPerson } from './delete-queries-about-person.js';
import { removePersonFromSearches } from './remove-person-from-searches.js';
import { lockObject } from '../writing/lock-object.js';
import { RemovalReport } from './removal-report.js';
import { isPersonalValue } from '../objects/personal-datapaths.js';
import { candidates } from '../objects/user.model.js';

/** Returns the replacements for personal values in columns that cannot be null. */
const replacements = (id: number): Readonly<Record<string, string>> => ({
  firstname: 'Anonymised',
  lastname: 'Candidate',
  email: `candidate-${id}@anonymised.invalid`,
});

/** The options for anonymising a candidate. */
export interface Anonymisation {
  /** The recruiter who anonymises the candidate. Null when the service does. */
  readonly recruiterId: number | null;
  /** `PUBLIC_BASE_URL` without a trailing slash. */
  readonly baseUrl: string;
  /** True to also replace the mentions of the person in the texts of others. */
  readonly isEverywhere?: boolean;
}

/**
 * Anonymises a candidate, which cannot be undone. Adds entries to the history and to the audit log. A second call only
 * finds the texts of others that still mention the candidate.
 * @returns what was removed, and the texts of others that still mention the candidate
 * @throws {NotFoundError} when there is no such candidate
 * Source: docs/reference/data-protection.md, "Anonymisation".
 */
export function anonymiseCandidate(transaction: Transaction, id: number, how: Anonymisation): Promise<RemovalReport> {
  return anonymisePerson(transaction, candidates, id, {
    ...how,
    async remove() {
      const report = await removePersonalData(transaction, id);
      const { recruiterId } = how;
      await addHistory(transaction, { type: 'anonymised', subjectType: 'candidate', subjectId: id, recruiterId });
      const cleared = await runStatement<{ id: number }>(
        transaction,
        'SELECT id FROM applications WHERE user_id = $1 ORDER BY id',
        [id],
      );
      const ids = cleared.map((row) => row.id);
      await noteChanges(transaction, { root: application.name, change: 'update', ids, recruiterId });
      await noteChanges(transaction, { root: candidates.type.name, change: 'anonymise', ids: [id], recruiterId });
      return report;
    },
  });
}

/**
 * Removes all personal data of a candidate: fields and related rows, applications, communications, history, snapshots
 * of events, answers of destinations, stored searches, stored queries, and answers stored for idempotency keys.
 * @returns what was removed; empty when the candidate is already anonymised
 * @throws {NotFoundError} when there is no such candidate
 */
export async function removePersonalData(transaction: Transaction, id: number): Promise<RemovalReport> {
  const report = new RemovalReport();
  await lockObject(transaction, candidates, id);
  if (await isAnonymised(transaction, id)) return report;
  const applications = await runStatement<{ id: number; app_type: string }>(
    transaction,
    'SELECT id, app_type FROM applications WHERE user_id = $1 FOR UPDATE',
    [id],
  );
  const applicationIds = applications.map((found) => found.id);

  report.addItems(documents.name, 'deleted', await deleteDocumentsOf(transaction, { applicationIds, candidateId: id }));
  report.addCount('searches', 'cleared', await removePersonFromSearches(transaction, id));
  report.addCount('stored_queries', 'deleted', await deleteQueriesAboutPerson(transaction, id));
  await blankColumns(transaction, candidates.type, { column: 'id', values: [id] }, replacements(id));
  const done = `UPDATE users SET status = 'anonymised', updated_dt = clock_timestamp() WHERE id = $1`;
  await runStatement(transaction, done, [id]);
  report.addItems(candidates.name, 'cleared', [{ id }]);
  await deleteElements(transaction, candidates.type, id, report);
  await blankColumns(transaction, application, { column: 'id', values: applicationIds });
  for (const { name, fixed } of [applicationsToVacancies, eventApplications])
    report.addItems(
      name,
      'cleared',
      applications.filter(({ app_type }) => app_type === fixed['app_type']),
    );
  const values = await runStatement(
    transaction,
    `DELETE FROM ${formValuesTable('application')} WHERE owner_id = ANY($1) RETURNING owner_id`,
    [applicationIds],
  );
  report.addCount('form_values', 'deleted', values.length);
  await runStatement(transaction, 'UPDATE applications SET updated_dt = clock_timestamp() WHERE id = ANY($1)', [
    applicationIds,
  ]);
  const everyApplicationId = [...new Set([...applicationIds, ...(await pastApplicationIds(transaction, id))])];
  const entries = await runStatement(
    transaction,
    `UPDATE history_entries SET comment = NULL, changes = NULL
     WHERE (subject_type = 'candidate' AND subject_id = $1 OR subject_type = 'application' AND subject_id = ANY($2))
       AND (comment IS NOT NULL OR changes IS NOT NULL) RETURNING id`,
    [id, everyApplicationId],
  );
  report.addCount('history_entries', 'cleared', entries.length);
  report.addCount('activation_links', 'deleted', await deleteActivations(transaction, id));
  await failCommunicationsOf(transaction, id, 'anonymised');
  await blankColumns(transaction, communication, { column: 'user_id', values: [id] }, { body: '' });
  report.addItems(
    communications.name,
    'cleared',
    await runStatement(transaction, 'SELECT id FROM communications WHERE user_id = $1', [id]),
  );
  report.addItems(
    notificationEvents.name,
    'cleared',
    await blankEvents(transaction, { ids: EVENTS_ABOUT_PERSON, parameters: [String(id)], isRemoved: isPersonalValue }),
  );
  report.addCount('destination_answers', 'deleted', await deleteDestinationAnswers(transaction, everyApplicationId));
  const answers = await runStatement(
    transaction,
    'DELETE FROM idempotency_keys WHERE people @> ARRAY[$1::bigint] RETURNING 1 AS one',
    [id],
  );
  report.addCount('stored_answers', 'deleted', answers.length);
  return report;
}

async function deleteElements(
  transaction: Transaction,
  type: ObjectType,
  id: number,
  report: RemovalReport,
): Promise<void> {
  for (const { many, target, foreignKey } of Object.values(type.relations)) {
    if (!many || !foreignKey) continue;
    const table = tableOf(getObjectType(target));
    const rows = await runStatement(transaction, `DELETE FROM ${table} WHERE ${foreignKey} = $1 RETURNING 1 AS one`, [
      id,
    ]);
    report.addCount(table, 'deleted', rows.length);
  }
}

/**
 * Reads the ids of all applications that ever belonged to the person. This includes deleted applications, and
 * applications that now belong to another candidate.
 */
async function pastApplicationIds(transaction: Transaction, id: number): Promise<readonly number[]> {
  const rows = await runStatement<{ subject_id: number }>(
    transaction,
    `SELECT subject_id FROM history_entries WHERE subject_type = 'application' AND changes @> $2::jsonb
     UNION SELECT subject_id FROM domain_events WHERE ${OF_APPLICANT}`,
    [String(id), JSON.stringify([{ path: '/user', old: { id } }])],
  );
  return rows.map(({ subject_id }) => subject_id);
}

/**
 * SQL condition that is true when the snapshot of the event names the person `$1` as the candidate of its application.
 */
const OF_APPLICANT = `subject_type = 'application' AND facts ->> 'application.user.id' = $1`;

/** SQL that selects the events about the person `$1`, and about the person's applications and communications. */
const EVENTS_ABOUT_PERSON = `SELECT id FROM domain_events WHERE ${OF_APPLICANT}
  UNION SELECT id FROM domain_events WHERE subject_type = 'candidate' AND subject_id = $1::bigint
  UNION SELECT id FROM domain_events WHERE subject_type = 'communication'
    AND subject_id IN (SELECT id FROM communications WHERE user_id = $1::bigint)`;
