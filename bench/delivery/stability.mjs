import { judge, printTable, quantile } from '../measure.mjs';
import { drip } from './drip.mjs';
import { untilLogged } from './throughput.mjs';

const SUBSCRIPTIONS = 100;
const RECEIVERS = 10;
const SECONDS = 60;
const P99_MS = 250;
/** Messages per second when the throughput was not measured. */
const DEFAULT_RATE = 400;
/** Number of events whose messages are not sent yet when PostgreSQL restarts. */
const WAITING = 2_000;
const TABLES = ['domain_events', 'notification_deliveries', 'notification_attempts'];

/**
 * Delivers at a steady rate for a long time while a read-only transaction stays open, which keeps PostgreSQL from
 * removing dead rows. PostgreSQL restarts once, after half of the time, while messages wait. Prints latencies and table
 * sizes of each minute. Checks that all events have led to a delivered message.
 */
export async function measureStability(stage, { minutes, rate = DEFAULT_RATE }) {
  const { healthy } = await stage.listen({ healthy: RECEIVERS });
  const ids = Array.from({ length: SUBSCRIPTIONS }, (_, index) => index + 1);
  await stage.subscribe(ids.map((opportunityId) => ({ opportunityId, url: healthy[opportunityId % RECEIVERS] })));
  await stage.setNotifiers(1);
  await drip(stage, { rate, seconds: 5, ids });
  let open = await openTransaction(stage);
  const rows = [];
  const p99s = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const { latencies } = await drip(stage, { rate, seconds: SECONDS, ids });
    p99s.push(quantile(latencies, 0.99));
    rows.push([
      String(minute),
      ...[0.5, 0.99, 1].map((share) => quantile(latencies, share).toFixed(0)),
      ...(await sizesOf(stage)),
    ]);
    console.log(rows.at(-1).join('  '));
    if (minute === Math.ceil(minutes / 2)) {
      await restart(stage, ids, open);
      open = await openTransaction(stage);
    }
  }
  await open.end();
  console.log(`\n${rate.toFixed(0)} messages/s to ${SUBSCRIPTIONS} subscriptions, sizes in MB`);
  printTable([['minute', 'p50, ms', 'p99, ms', 'max, ms', ...TABLES], ...rows]);
  await untilLogged(stage);
  const [{ events, delivered }] = await stage.query(
    `SELECT (SELECT count(*)::integer FROM domain_events) AS events,
       (SELECT count(DISTINCT event_id)::integer FROM notification_deliveries WHERE status = 'delivered') AS delivered`,
  );
  judge('every event led to a delivered message', events === delivered, `${delivered} of ${events}`);
  const worst = Math.max(...p99s);
  judge(`p99 under ${P99_MS} ms in every minute`, worst < P99_MS, `${worst.toFixed(0)} ms`);
}

/** Restarts PostgreSQL while messages wait, and prints the time until they have arrived. */
async function restart(stage, ids, open) {
  open.on('error', () => undefined); // The restart ends this connection, so its error is expected.
  stage.forget();
  const done = stage.received(WAITING);
  await stage.write(Array.from({ length: WAITING }, (_, index) => ids[index % ids.length]));
  const startedAt = Date.now();
  await stage.restartPostgres();
  const restartedAt = Date.now();
  const { lastAt } = await done;
  console.log(
    `PostgreSQL restarted in ${restartedAt - startedAt} ms; ${WAITING} waiting messages arrived ` +
      `${lastAt - restartedAt} ms later`,
  );
}

/** Opens a transaction that only reads, as a backup does. */
async function openTransaction(stage) {
  const client = await stage.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT count(*) FROM domain_events');
  return client;
}

/** Returns the sizes of the tables with their partitions and indexes, in MB. */
async function sizesOf(stage) {
  const rows = await stage.query(
    `SELECT (SELECT sum(pg_total_relation_size(relid)) / 1048576 FROM pg_partition_tree(name::regclass)) AS mb
     FROM unnest($1::text[]) WITH ORDINALITY AS given (name, position) ORDER BY position`,
    [TABLES],
  );
  return rows.map(({ mb }) => Number(mb).toFixed(0));
}
