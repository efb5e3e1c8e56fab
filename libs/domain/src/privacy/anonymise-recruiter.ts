import { datapathIn, readPast } from '@ats/datapath';
import { runStatement, type Transaction } from '@ats/postgres';
import { readDatapathOwner, isPersonalValue } from '../objects/personal-datapaths.js';
import { EVENT_TYPES } from '../objects/event-types.js';
import { snapshotDatapaths } from '../facts/read-datapaths.js';
import { notificationEvents } from '../objects/event.model.js';
import { savedSearches } from '../objects/search-definition.model.js';
import { recruiter, recruiters } from '../objects/user.model.js';
import { type Anonymisation } from './anonymise.js';
import { anonymisePerson } from './anonymise-person.js';
import { blankColumns } from './blank-columns.js';
import { blankEvents } from './blank-events.js';
import { deleteQueriesAboutPerson } from './delete-queries-about-person.js';
import { identifyingTexts } from './identifying-texts.js';
import { RemovalReport } from './removal-report.js';

/** Returns the replacements for personal values in columns that cannot be null. */
const replacements = (id: number): Readonly<Record<string, string>> => ({
  firstname: 'Anonymised',
  lastname: 'Recruiter',
  email: `recruiter-${id}@anonymised.invalid`,
});

/**
 * Anonymises and deactivates a recruiter, and adds an entry to the audit log. The credentials of the recruiter are no
 * longer accepted. The id stays as author or owner in history, events and opportunities. Searches that only the
 * recruiter could see are deleted.
 * @returns what was removed, and the texts of others that still mention the recruiter
 * @throws {NotFoundError} when there is no such recruiter
 * Source: docs/reference/data-protection.md, "Recruiters".
 */
export const anonymiseRecruiter = (
  transaction: Transaction,
  id: number,
  how: Omit<Anonymisation, 'recruiterId'>,
): Promise<RemovalReport> =>
  anonymisePerson(transaction, recruiters, id, { ...how, remove: () => removeRecruiter(transaction, id) });

async function removeRecruiter(transaction: Transaction, id: number): Promise<RemovalReport> {
  const report = new RemovalReport();
  const texts = await runStatement<{ text: string }>(transaction, identifyingTexts(recruiter), [id]);
  report.addCount('stored_queries', 'deleted', await deleteQueriesAboutPerson(transaction, id, recruiter));
  report.addItems(
    savedSearches.name,
    'deleted',
    await runStatement(transaction, 'DELETE FROM saved_searches WHERE owner_id = $1 AND NOT is_shared RETURNING id', [
      id,
    ]),
  );
  const names = texts.map(({ text }) => text);
  report.addItems(notificationEvents.name, 'cleared', await blankEventsAbout(transaction, id, names));
  await blankColumns(transaction, recruiter, { column: 'id', values: [id] }, replacements(id));
  await runStatement(
    transaction,
    `UPDATE users SET status = 'anonymised', is_active = false, updated_dt = clock_timestamp() WHERE id = $1`,
    [id],
  );
  report.addItems(recruiters.name, 'cleared', [{ id }]);
  const answers = await runStatement(
    transaction,
    'DELETE FROM idempotency_keys WHERE people @> ARRAY[$1::bigint] RETURNING 1 AS one',
    [id],
  );
  report.addCount('stored_answers', 'deleted', answers.length);
  return report;
}

/**
 * Removes the recruiter's personal values from the snapshots of events. An event is changed when one of its datapaths
 * leads to the recruiter.
 */
async function blankEventsAbout(
  transaction: Transaction,
  id: number,
  names: readonly string[],
): Promise<readonly { readonly id: number }[]> {
  const wanted = await runStatement<{ event_type: string; datapath: string }>(
    transaction,
    `SELECT event_type, datapath FROM notification_datapaths
     UNION SELECT event_type, datapath FROM notification_past_datapaths`,
  );
  const conditions = EVENT_TYPES.flatMap((type) => {
    const all = new Set([
      ...snapshotDatapaths(type),
      ...wanted.filter(({ event_type }) => event_type === type).map(({ datapath }) => datapath),
    ]);
    const datapaths = [...all].filter(isAboutRecruiter).map((datapath) => `facts -> '${datapath}' ?| $1`);
    return datapaths.length > 0 ? [`type = '${type}' AND (${datapaths.join(' OR ')})`] : [];
  });
  if (conditions.length === 0) return [];
  return blankEvents(transaction, {
    ids: conditions.map((condition) => `SELECT id FROM domain_events WHERE ${condition}`).join(' UNION '),
    parameters: [names],
    isRemoved(datapath, facts) {
      if (!isAboutRecruiter(datapath)) return false;
      const holderId = `${datapath.slice(0, datapath.lastIndexOf('.'))}.id`;
      const holder = facts[readPast(datapath) ? `${holderId})` : holderId];
      return holder === undefined ? names.includes(String(facts[datapath])) : holder === id;
    },
  });
}

/**
 * True when the value at a datapath is a personal value of a recruiter. False for a datapath to a form value, because
 * no form value belongs to a recruiter.
 */
const isAboutRecruiter = (text: string): boolean =>
  /^[\w.]+$/.test(datapathIn(text)) &&
  readDatapathOwner(datapathIn(text))?.name === recruiter.name &&
  isPersonalValue(text);
