import { expect } from '@jest/globals';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';
import { expectCommittedChanges, latestIds, makeApplications, move } from './support/state-changes.js';

const MAX_CONNECTIONS = 60;
const SUBSCRIPTIONS = 4;

/** Closes the connections of the apps, and opens others until the server has none left for the apps. */
async function takeAllConnections(stage: Stage): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  const first = await stage.database.connect();
  try {
    await waitUntil('no connection is left', 300_000, async () => {
      await first.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'ats-%'`);
      for (let isFull = false; !isFull; ) {
        const client = new pg.Client({ connectionString: stage.servers.postgres.url });
        client.on('error', () => undefined);
        isFull = await client.connect().then(
          () => false,
          () => true,
        );
        if (!isFull) taken.push(client);
      }
      const { rows } = await first.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'ats-%'`,
      );
      return rows[0]?.count === '0';
    });
  } finally {
    first.release();
  }
  return taken;
}

faultTest(
  {
    number: 13,
    fault: 'PostgreSQL connections exhausted',
    stage: { notifiers: 1, servers: { postgres: { max_connections: String(MAX_CONNECTIONS) } } },
  },
  async (stage, report) => {
    const ids = (await makeApplications(stage, 4)).map(({ id }) => id);
    const since = await latestIds(stage);
    const subscriptions = await stage.subscribeTimes(SUBSCRIPTIONS);
    stage.destinations.answerWith(answerAfter(50));
    const events = sized(60, 20);
    let answered = 0;
    for (const times = sized(3, 1); report.faults < times; report.faults += 1) {
      await stage.raise(events);
      await Promise.all(ids.map((id) => move(stage, id, 'on_hold')));
      const taken = await takeAllConnections(stage);
      // No request may hang. A request that needs a connection must get a 503.
      const answers = await Promise.all(
        ids.map((id) => stage.client.request('PUT', `/applications/${id}/process_state`, { state: 'interview' })),
      );
      for (const { status } of answers) expect([200, 503]).toContain(status);
      answered += answers.length;
      await sleep(3_000);
      await Promise.all(taken.map((client) => client.end()));
      await waitUntil(
        'the API is ready again',
        300_000,
        async () => (await fetch(`${stage.api.url}/health/ready`).catch(() => null))?.ok === true,
      );
      await Promise.all(ids.map((id) => move(stage, id, 'interview')));
    }
    await stage.settled();
    await expectCommittedChanges(
      stage,
      subscriptions.map(({ id }) => id),
      since,
    );
    report.note(`all ${answered} requests during the outage were answered`);
    report.check(await stage.verdict(), { duplicatesAtMost: report.faults * 4 * SUBSCRIPTIONS });
  },
);
