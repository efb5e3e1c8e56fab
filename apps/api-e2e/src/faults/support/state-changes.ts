import { expect } from '@jest/globals';
import { applyTo, type Item, openVacancy } from '../../support/api-client.js';
import { type Stage } from './stage.js';

/** Creates applications in the state `interview`. They can move to `on_hold` and back any number of times. */
export async function makeApplications(stage: Stage, count: number): Promise<readonly Item[]> {
  const vacancy = await openVacancy(stage.client);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const application = await applyTo(stage.client, vacancy);
      return move(stage, application.id, 'interview');
    }),
  );
}

export const move = (stage: Stage, applicationId: number, state: string): Promise<Item> =>
  stage.client
    .put(`/applications/${applicationId}/process_state`, { state })
    .then((item) => ({ ...item, id: applicationId }));

interface SubjectRow {
  readonly subject_id: string;
  readonly changes: string;
  readonly events: readonly string[] | null;
}

/**
 * Expects one event for each committed change, and no others. Adds each event to the ledger, for each of the
 * subscriptions.
 * @param after  ids that {@link latestIds} returned; changes and events up to them are ignored
 * @returns the number of changes
 */
export async function expectCommittedChanges(
  stage: Stage,
  subscriptionIds: readonly number[],
  after: { readonly history: number; readonly event: number },
): Promise<number> {
  const { rows } = await stage.database.query<SubjectRow>(
    `WITH changes AS (
       SELECT subject_id, count(*) FROM history_entries
       WHERE subject_type = 'application' AND type = 'state_change' AND id > $1 GROUP BY subject_id
     ), events AS (
       SELECT subject_id, array_agg(id) AS ids FROM domain_events
       WHERE type = 'STATE_CHANGE_APPLICATION' AND id > $2 AND subject_id IN (SELECT id FROM applications)
       GROUP BY subject_id
     )
     SELECT COALESCE(c.subject_id, e.subject_id) AS subject_id, COALESCE(c.count, 0) AS changes, e.ids AS events
     FROM changes c FULL JOIN events e ON e.subject_id = c.subject_id`,
    [after.history, after.event],
  );
  for (const { subject_id, changes, events } of rows) {
    expect({ subject_id, events: events?.length ?? 0 }).toEqual({ subject_id, events: Number(changes) });
    for (const event of events ?? []) for (const id of subscriptionIds) stage.ledger.expect(Number(event), id);
  }
  return rows.reduce((sum, { changes }) => sum + Number(changes), 0);
}

/** Returns the ids of the newest history entry and of the newest event. */
export async function latestIds(stage: Stage): Promise<{ readonly history: number; readonly event: number }> {
  return {
    history: await stage.count('SELECT COALESCE(max(id), 0) FROM history_entries'),
    event: await stage.count('SELECT COALESCE(max(id), 0) FROM domain_events'),
  };
}
