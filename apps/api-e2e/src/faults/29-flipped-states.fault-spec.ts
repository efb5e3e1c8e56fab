import { expect } from '@jest/globals';
import { faultTest, sized } from './support/fault-test.js';
import { latestIds, makeApplications, move } from './support/state-changes.js';

const STATES = ['on_hold', 'interview'] as const;

faultTest(
  { number: 29, fault: 'states change back before the events are matched', isFast: true },
  async (stage, report) => {
    const applications = await makeApplications(stage, 4);
    const since = await latestIds(stage);
    const subscriptions = new Map(
      await Promise.all(
        STATES.map(
          async (state) =>
            [
              state as string,
              await stage.subscribe({
                expression: `application.main_process_state.state.state == "${state}"`,
                expects: () => false,
              }),
            ] as const,
        ),
      ),
    );
    // Ends the notifier after half of the changes, so that it matches the events of the second half only after the last
    // change. Every application has its first state again by then.
    const rounds = sized(50, 8);
    for (let round = 0; round < rounds; round += 1) {
      if (round === rounds / 2) await stage.notifiers[0]?.end('SIGTERM');
      await Promise.all(
        applications.map(async ({ id }) => {
          for (const state of STATES) await move(stage, id, state);
        }),
      );
      report.faults += applications.length;
    }
    await stage.notifiers[0]?.start();

    // The history must have the target state of each change, in the order of the events.
    const { rows } = await stage.database.query<{ event_id: string; state: string }>(
      `SELECT e.id AS event_id, s.state FROM
       (SELECT id, subject_id, row_number() OVER (PARTITION BY subject_id ORDER BY id) AS n
        FROM domain_events WHERE id > $1) e
     JOIN (SELECT subject_id, to_state_id, row_number() OVER (PARTITION BY subject_id ORDER BY id) AS n
           FROM history_entries WHERE subject_type = 'application' AND type = 'state_change' AND id > $2) h
       ON h.subject_id = e.subject_id AND h.n = e.n
     JOIN states s ON s.id = h.to_state_id`,
      [since.event, since.history],
    );
    expect(rows).toHaveLength(rounds * applications.length * STATES.length);
    for (const { event_id, state } of rows) stage.ledger.expect(Number(event_id), subscriptions.get(state)?.id ?? 0);
    await stage.settled();
    report.check(await stage.verdict());
  },
);
