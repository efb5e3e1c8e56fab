import { deleteActivations } from '../rules/account-activation/account-activation.js';
import {
  application,
  applications as applicationsToVacancies,
  eventApplications,
} from '../objects/application.model.js';
import { notificationEvents } from '../objects/event.model.js';
import { communication, communications } from '../objects/communication.model.js';
import { failCommunicationsOf } from '../rules/communication/communication-status.js';
import { runStatement, type Transaction } from '@ats/postgres';
import { formValuesTable } from '../objects/form-value.model.js';
import { addHistory } from '../rules/history/history.js';
import { storedColumns } from '../vocabulary/column.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { tableOf } from '../reading/representation-sql.js';
import { rowsOf } from '../reading/rows-of.js';
import { deleteDestinationAnswers } from '../notification/deliveries/delete-destination-answers.js';
import { deleteQueriesAboutPerson } from './delete-queries-about-person.js';
import { removePersonFromSearches } from './remove-person-from-searches.js';
import { lockObject } from '../writing/lock-object.js';
import { RemovalReport } from './removal-report.js';
import { isPersonal } from '../objects/personal-datapaths.js';
import { candidates } from '../objects/user.model.js';

/** Replacements for personal values in columns that cannot be null. */
const replacements = (id: number): Readonly<Record<string, string>> => ({
  firstname: 'Anonymised',
  lastname: 'Candidate',
  email: `candidate-${id}@anonymised.invalid`,
});

/**
 * Anonymises a candidate and adds the history entry. Anonymising cannot be undone. A second call changes nothing.
 * @returns what was removed; empty for a second call
 * @throws {NotFoundError} when there is no such candidate
 * Source: docs/reference/resources.md, "Anonymisation".
 */
export async function anonymiseCandidate(
  transaction: Transaction,
  id: number,
  recruiterId: number,
): Promise<RemovalReport> {
  const report = await removePersonalData(transaction, id);
  if (report.removals.length > 0)
    await addHistory(transaction, { type: 'anonymised', subjectType: 'candidate', subjectId: id, recruiterId });
  return report;
}

/**
 * Removes all personal data of a candidate: fields and related rows, applications, communications, history, the
 * snapshots of events, the answers of destinations, stored searches, stored queries, and answers stored for
 * idempotency keys.
 * @returns what was removed; empty when the candidate is anonymised already
 * @throws {NotFoundError} when there is no such candidate
 */
export async function removePersonalData(transaction: Transaction, id: number): Promise<RemovalReport> {
  const report = new RemovalReport();
  await lockObject(transaction, candidates, id);
  const users = rowsOf<{ id: number; status: string; updated_dt: Date }>(transaction, candidates.type);
  if (await users.existsBy({ id, status: 'anonymised' })) return report;
  const applications = await runStatement<{ id: number; app_type: string }>(
    transaction,
    'SELECT id, app_type FROM applications WHERE user_id = $1 FOR UPDATE',
    [id],
  );
  const applicationIds = applications.map((found) => found.id);

  report.addCount('searches', 'cleared', await removePersonFromSearches(transaction, id));
  report.addCount('stored_queries', 'deleted', await deleteQueriesAboutPerson(transaction, id));
  await blank(transaction, candidates.type, 'id', [id], replacements(id));
  await users.update({ id }, { status: 'anonymised', updated_dt: () => 'clock_timestamp()' });
  report.addItems(candidates.name, 'cleared', [{ id }]);
  await deleteElements(transaction, candidates.type, id, report);
  await blank(transaction, application, 'id', applicationIds);
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
  await blank(transaction, communication, 'user_id', [id], { body: '' });
  report.addItems(
    communications.name,
    'cleared',
    await runStatement(transaction, 'SELECT id FROM communications WHERE user_id = $1', [id]),
  );
  report.addItems(notificationEvents.name, 'cleared', await blankEvents(transaction, id));
  report.addCount('destination_answers', 'deleted', await deleteDestinationAnswers(transaction, everyApplicationId));
  const answers = await runStatement(
    transaction,
    'DELETE FROM idempotency_keys WHERE people @> ARRAY[$1::bigint] RETURNING 1 AS one',
    [id],
  );
  report.addCount('stored_answers', 'deleted', answers.length);
  return report;
}

/**
 * Sets the personal columns of rows to null, to an empty list, or to the given replacement when they cannot be null.
 */
async function blank(
  transaction: Transaction,
  type: ObjectType,
  keyColumn: string,
  keys: readonly number[],
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = Object.entries(type.attributes).filter(([, { personal, column }]) => personal && column);
  const parameters: unknown[] = [keys];
  const assignments = columns.flatMap(([name, attribute]) => {
    const stored = storedColumns(name, attribute);
    if (attribute.many) return stored.map((column) => `${column} = '{}'`);
    if (attribute.nullable) return stored.map((column) => `${column} = NULL`);
    const value = values[name];
    if (value === undefined) throw new Error(`${type.name}.${name} cannot be null and has no replacement`);
    const parameter = `$${parameters.push(value)}`;
    return stored.map((column) => `${column} = ${parameter}`);
  });
  await runStatement(
    transaction,
    `UPDATE ${tableOf(type)} SET ${assignments.join(', ')} WHERE ${keyColumn} = ANY($1)`,
    parameters,
  );
}

async function deleteElements(
  transaction: Transaction,
  type: ObjectType,
  id: number,
  report: RemovalReport,
): Promise<void> {
  for (const { many, target, foreignKey } of Object.values(type.relations)) {
    if (!many || !foreignKey) continue;
    const { affected } = await rowsOf(transaction, getObjectType(target)).delete({ [foreignKey]: id });
    report.addCount(tableOf(getObjectType(target)), 'deleted', affected ?? 0);
  }
}

/**
 * Reads the ids of all applications that ever belonged to the person, including applications that were deleted or now
 * belong to another candidate.
 */
async function pastApplicationIds(transaction: Transaction, id: number): Promise<readonly number[]> {
  const rows = await runStatement<{ subject_id: number }>(
    transaction,
    `SELECT subject_id FROM history_entries WHERE subject_type = 'application' AND changes @> $2::jsonb
     UNION SELECT subject_id FROM domain_events WHERE ${ABOUT_PERSON}`,
    [String(id), JSON.stringify([{ path: '/user', old: { id } }])],
  );
  return rows.map(({ subject_id }) => subject_id);
}

/** SQL condition: the event's snapshot names the person `$1` as the candidate of its application. */
const ABOUT_PERSON = `subject_type = 'application' AND facts ->> 'application.user.id' = $1`;

/**
 * Removes personal values from the snapshots of events about the person's applications.
 * @returns the changed events
 */
async function blankEvents(transaction: Transaction, id: number): Promise<readonly { readonly id: number }[]> {
  const changed: { readonly id: number }[] = [];
  const events = `SELECT id FROM domain_events WHERE ${ABOUT_PERSON}`;
  for (const [table, key, more] of [
    // `anonymised_dt` shows explanations and the reconciliation that values were removed.
    ['domain_events', 'id', ', anonymised_dt = clock_timestamp()'],
    ['notification_late_facts', 'event_id', ''],
  ] as const) {
    const rows = await runStatement<{ id: number; facts: Record<string, unknown> }>(
      transaction,
      `SELECT ${key} AS id, facts FROM ${table} WHERE ${key} IN (${events}) FOR UPDATE`,
      [String(id)],
    );
    if (table === 'domain_events') changed.push(...rows.map((row) => ({ id: row.id })));
    for (const { id: eventId, facts } of rows) {
      const kept = Object.fromEntries(
        Object.entries(facts).map(([path, value]) => [path, isPersonal(path) ? null : value]),
      );
      await runStatement(transaction, `UPDATE ${table} SET facts = $2${more} WHERE ${key} = $1`, [
        eventId,
        JSON.stringify(kept),
      ]);
    }
  }
  return changed;
}
