import { type PoolClient } from 'pg';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';

const SUBSCRIPTIONS = 4;
const WAIT_MS = 300_000;

/** For each step, matches the statement that waits for the table lock in this step, as `pg_stat_activity` shows it. */
const STEPS = {
  matcher: /INSERT INTO notification_deliveries/,
  'due poller': /SET status = 'queued'/,
  sweeper: /'sending' AND \(d\.lease_until_dt </,
} as const;

/** Makes `pg_stat_activity` show whole statements, which it cuts by default. */
const STAGE = { servers: { postgres: { track_activity_query_size: '16384' } } };

/**
 * Locks the table of deliveries, so that all writers wait inside their transactions. Kills the notifier when it waits
 * in `step`.
 */
async function killIn(step: keyof typeof STEPS, stage: Stage, provoke: () => Promise<unknown>): Promise<void> {
  const holder: PoolClient = await stage.database.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE notification_deliveries IN SHARE MODE');
    await provoke();
    await waitUntil(`the ${step} waits in its transaction`, WAIT_MS, async () => {
      // Uses another connection, because `pg_stat_activity` shows the same rows throughout one transaction.
      const { rows } = await stage.database.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND xact_start IS NOT NULL`,
      );
      return rows.some(({ query }) => STEPS[step].test(query));
    });
    await stage.notifiers[0]?.end('SIGKILL');
  } finally {
    await holder.query('ROLLBACK').finally(() => holder.release());
  }
}

faultTest(
  { number: 3, fault: 'notifier killed in a transaction of the matcher, the due poller or the sweeper', stage: STAGE },
  async (stage, report) => {
    const { destinations, notifiers } = stage;
    const receptions = (): number => destinations.receptions.length;
    await stage.subscribeTimes(SUBSCRIPTIONS);
    let interrupted = 0;
    for (let round = 0; round < sized(5, 1); round += 1) {
      await killIn('matcher', stage, () => stage.raise(10));
      report.faults += 1;
      await notifiers[0]?.start();
      await stage.settled();

      destinations.answerWith((_, response) => void response.writeHead(503).end());
      const before = receptions();
      await stage.raise(1);
      await waitUntil(
        'every message was refused once',
        WAIT_MS,
        async () =>
          receptions() >= before + SUBSCRIPTIONS &&
          (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status IN ('queued', 'sending')`)) ===
            0,
      );
      await killIn('due poller', stage, () => Promise.resolve());
      report.faults += 1;
      destinations.answerWith((_, response) => void response.writeHead(204).end());
      await notifiers[0]?.start();
      await stage.settled();

      // Kills the notifier while messages are in flight, because the sweeper has work only after such a kill.
      const sent = receptions();
      destinations.answerWith(() => undefined);
      await stage.raise(1);
      await waitUntil('every message is in flight', WAIT_MS, () => receptions() >= sent + SUBSCRIPTIONS);
      interrupted += SUBSCRIPTIONS;
      await notifiers[0]?.end('SIGKILL');
      destinations.answerWith((_, response) => void response.writeHead(204).end());
      await killIn('sweeper', stage, async () => notifiers[0]?.start());
      report.faults += 2;
      await notifiers[0]?.start();
      await stage.settled();
    }
    report.check(await stage.verdict(), { duplicatesAtMost: interrupted });
  },
);
