// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteSubscription, disableSubscription, enableSubscription, moveBacklogs } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { BY_NOTIFIER, readDeliveries, subscribe } from '../../../test/fixtures.js';
import { eventually } from '../../../test/eventually.js';
import { claimOne } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { asSeveralProcesses } from '../../../test/several-processes.js';
import { type ClaimedDelivery } from './claimed-deliveries.js';
import { pickDueDeliveries, type QueuedDelivery } from './due-deliveries.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const capacity = { hot: 1_000, slow: 1_000 };
const pick = (): Promise<readonly QueuedDelivery[]> => pickDueDeliveries(database, capacity);

/** Adds due deliveries of one subscription. By default, each delivery is about another subject. */
async function addDue(
  subscriptionId: number,
  count: number,
  { subjectId, failures = 0 }: { subjectId?: number; failures?: number } = {},
): Promise<void> {
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
       topic_revision, subject_type, subject_id,
       sequence, body, status, next_attempt_dt, failures)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 'application', COALESCE($3, n), n, '{}',
       'due', now() - interval '1 second', $4
     FROM generate_series(1, $2::integer) n`,
    [subscriptionId, count, subjectId ?? null, failures],
  );
}

describe('pickDueDeliveries', () => {
  it('allows at most 4 concurrent deliveries of a subscription', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 10);
    expect(await pick()).toHaveLength(4);
    expect(await pick()).toEqual([]);
    await database.query(
      `UPDATE notification_deliveries SET status = 'delivered' WHERE id IN (SELECT id FROM notification_deliveries
         WHERE status = 'queued' ORDER BY id LIMIT 2)`,
    );
    expect(await pick()).toHaveLength(2);
  });

  it('picks the oldest deliveries first', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 6);
    const ids = (await readDeliveries(database)).map(({ id }) => id);
    await database.query(
      `UPDATE notification_deliveries SET next_attempt_dt = now() - interval '1 hour' WHERE id = $1`,
      [ids[5]],
    );
    const picked = (await pick()).map(({ id }) => id);
    expect(picked.sort((left, right) => left - right)).toEqual([ids[0], ids[1], ids[2], ids[5]]);
  });

  it('skips deliveries that are not due yet', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 2);
    await database.query(
      `UPDATE notification_deliveries SET next_attempt_dt = now() + interval '1 hour' WHERE sequence = 1`,
    );
    const picked = await pick();
    expect((await readDeliveries(database)).filter(({ id }) => picked.some((one) => one.id === id))).toMatchObject([
      { sequence: 2 },
    ]);
  });

  it('allows fewer concurrent deliveries while the destination is overloaded or recovers', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 10);
    await database.query('UPDATE notification_subscriptions SET in_flight_limit = 2');
    expect(await pick()).toHaveLength(2);
  });

  it('releases held deliveries one by one in the order of their sequence, before all later deliveries', async () => {
    const { topic, subscription } = await subscribe(database);
    await addDue(subscription.id, 5);
    await database.query('UPDATE notification_subscriptions SET last_sequence = 5');
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    await database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    await database.query('UPDATE notification_subscriptions SET in_flight_limit = 4');
    await database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
         topic_revision, subject_type, subject_id, sequence, body,
         status, next_attempt_dt) SELECT now(), gen_random_uuid(), n, $1, $2, 1, 'application', n, n, '{}', 'due',
           clock_timestamp() FROM generate_series(6, 9) n`,
      [subscription.id, topic.id],
    );
    const sequences: number[][] = [];
    for (let count = 0; count < 6; count++) {
      const ids = (await pick()).map(({ id }) => id);
      expect(await pick()).toEqual([]);
      const rows = await database.query<{ sequence: number }>(
        `UPDATE notification_deliveries SET status = 'delivered' WHERE id = ANY($1) RETURNING sequence`,
        [ids],
      );
      sequences.push(rows.map(({ sequence }) => sequence).sort());
    }
    expect(sequences).toEqual([[1], [2], [3], [4], [5], [6, 7, 8, 9]]);
  });

  it('picks a delivery even when the first released delivery is not the oldest of its subject', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 2, { subjectId: 7 });
    await database.query('UPDATE notification_subscriptions SET released_sequence = 2, in_flight_limit = 4');
    await database.query(
      `UPDATE notification_deliveries SET next_attempt_dt = now() - interval '1 minute' WHERE sequence = 2`,
    );
    expect(await pick()).toHaveLength(1);
  });

  it('picks a test message at once, even when limits are reached and the subscription is disabled', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 5);
    await pick();
    await addDue(subscription.id, 1);
    await database.query(
      `UPDATE notification_deliveries SET event_id = NULL, subject_id = NULL, subject_type = NULL, sequence = 0,
         reason = 'ping' WHERE id = (SELECT max(id) FROM notification_deliveries)`,
    );
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    expect(await pick()).toMatchObject([{ lane: 'hot' }]);
    expect((await readDeliveries(database)).map(({ status }) => status).sort()).toEqual([
      'held',
      'held',
      'held',
      'held',
      'held',
      'queued',
    ]);
  });

  it('allows at most 32 concurrent deliveries to one origin for all subscriptions together', async () => {
    for (let index = 0; index < 10; index++) {
      const { subscription } = await subscribe(database, { url: `https://shared.example.com/${index}` });
      await addDue(subscription.id, 10);
    }
    const other = await subscribe(database, { url: 'https://shared.example.com:8443/' });
    await addDue(other.subscription.id, 1);
    expect(await pick()).toHaveLength(33);
    expect(await pick()).toEqual([]);
  });

  it('allows one concurrent delivery after 5 consecutive failures, in the slow lane', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 3);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = 4');
    expect(await pick()).toHaveLength(3);
    await database.query(`UPDATE notification_deliveries SET status = 'due', lane = 'hot'`);
    await database.query('UPDATE notification_subscriptions SET consecutive_failures = 5');
    expect(await pick()).toMatchObject([{ lane: 'slow' }]);
  });

  it.each([
    ['failed 3 times', 'slow', 3, null],
    ['failed twice', 'hot', 2, null],
    ['goes to a destination that takes more than 2 s', 'slow', 0, 2_001],
  ])('puts a delivery that %s into the lane %s', async (_, lane, failures, latency) => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 1, { failures });
    await database.query('UPDATE notification_subscriptions SET average_latency_ms = $1', [latency]);
    expect(await pick()).toMatchObject([{ lane }]);
  });

  it('keeps the order of deliveries about one subject', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 3, { subjectId: 7 });
    await addDue(subscription.id, 1, { subjectId: 8 });
    const ids = (await readDeliveries(database)).map(({ id }) => id);
    const finish = (id: number | undefined): Promise<object[]> =>
      database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE id = $1`, [id]);
    expect((await pick()).map(({ id }) => id).sort((left, right) => left - right)).toEqual([ids[0], ids[3]]);
    expect(await pick()).toEqual([]);
    await finish(ids[0]);
    expect((await pick()).map(({ id }) => id)).toEqual([ids[1]]);
    await finish(ids[1]);
    expect((await pick()).map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('picks no more than the capacity of each lane', async () => {
    for (let index = 0; index < 3; index++) await addDue((await subscribe(database)).subscription.id, 4);
    await addDue((await subscribe(database)).subscription.id, 4, { failures: 3 });
    const picked = await pickDueDeliveries(database, { hot: 5, slow: 2 });
    expect(picked.filter(({ lane }) => lane === 'hot')).toHaveLength(5);
    expect(picked.filter(({ lane }) => lane === 'slow')).toHaveLength(2);
    expect(await pickDueDeliveries(database, { hot: 0, slow: 0 })).toEqual([]);
  });

  it('skips a disabled subscription, even while part of its backlog is not held yet', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 2_500);
    const count = async (status: string): Promise<number> =>
      (await readDeliveries(database)).filter((one) => one.status === status).length;
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    expect([await count('held'), await count('due')]).toEqual([1_000, 1_500]);
    expect(await pick()).toEqual([]);
    while (await moveBacklogs(database));
    expect(await count('held')).toBe(2_500);
    await database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    expect(await count('due')).toBe(1_000);
    while (await moveBacklogs(database));
    const due = await database.query<{ sequence: number }>(
      `SELECT sequence FROM notification_deliveries WHERE status = 'due' ORDER BY next_attempt_dt, id`,
    );
    expect(due.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: subscription.topic_id, id: subscription.id }),
    );
    expect([await count('cancelled'), await count('due')]).toEqual([1_000, 1_500]);
    while (await moveBacklogs(database));
    expect(await count('cancelled')).toBe(2_500);
  });

  it('does not hold a delivery that is claimed while the subscription is being disabled', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 3);
    const [first, ...others] = await pick();
    const claimed: (ClaimedDelivery | null)[] = [];
    let disabled: Promise<void> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM notification_deliveries WHERE id = $1 FOR UPDATE', [first?.id]);
      disabled = database.transaction((other) => disableSubscription(other, subscription.id, 'requested', BY_NOTIFIER));
      await eventually(async () => {
        const [row] = await database.query<{ n: number }>(
          `SELECT count(*)::integer AS n FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE datname = current_database() AND NOT granted AND locktype IN ('transactionid', 'tuple')`,
        );
        expect(row?.n).toBeGreaterThan(0);
      });
      for (const { id } of others) claimed.push(await claimOne(database, id));
    });
    await disabled;
    const rows = await readDeliveries(database);
    expect(rows.find(({ id }) => id === first?.id)?.status).toBe('held');
    for (const one of claimed.filter((delivery) => delivery !== null))
      expect(rows.find(({ id }) => id === one.id)?.status).toBe('sending');
  });

  it('keeps its limits when several notifiers pick at the same time', async () => {
    for (let index = 0; index < 5; index++) await addDue((await subscribe(database)).subscription.id, 20);
    const processes = asSeveralProcesses(database);
    const picks = Array.from({ length: 4 }, () => pickDueDeliveries(processes, capacity));
    const picked = (await Promise.all(picks)).flat();
    expect(picked).toHaveLength(20);
    expect(new Set(picked.map(({ id }) => id)).size).toBe(20);
  });

  it('picks after another notifier stopped in the middle of a pick, which is rolled back', async () => {
    const { subscription } = await subscribe(database);
    await addDue(subscription.id, 3);
    const client = await database.pool.connect();
    const sent: unknown[] = [];
    const query = (...[statement, ...rest]: Parameters<typeof client.query>): unknown => {
      if ((statement as unknown) === 'COMMIT') return new Promise(() => undefined);
      const answer: unknown = client.query(statement, ...rest);
      sent.push(answer);
      return answer;
    };
    const frozen = { dedicated: () => ({ connect: () => Promise.resolve({ query }) }) } as unknown as Database;
    void pickDueDeliveries(frozen, capacity);
    await eventually(() => expect(sent).toHaveLength(3));
    await Promise.all(sent);
    try {
      expect(await pick()).toHaveLength(3);
    } finally {
      client.release(true);
    }
  });
});
