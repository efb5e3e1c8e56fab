import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DeliveryModes, redeliver, replaceDeliveryModes } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { randomUUID } from 'node:crypto';
import { readDeliveries, secretBox, subscribe } from '../../../test/fixtures.js';
import { claimOne } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { claimBatch } from './batch-claims.js';
import { pickDueDeliveries } from './due-deliveries.js';
import { claimFollowers } from './follower-deliveries.js';
import { postponeBlocked } from './subject-order.js';

const stage = useStage();
let database: Database;
let subscription: Awaited<ReturnType<typeof subscribe>>['subscription'];

const MODES: DeliveryModes = { ordering: 'subject', throttle: null, batch: null };

beforeAll(() => void ({ database } = stage));
beforeEach(async () => void ({ subscription } = await subscribe(database)));
afterEach(() => stage.reset());

const setModes = (modes: Partial<DeliveryModes>): Promise<void> =>
  database.transaction((transaction) =>
    replaceDeliveryModes(transaction, subscription.endpoint_id, { ...MODES, ...modes }, secretBox),
  );

/** Adds due deliveries: one for each given subject, in the order of their sequence. */
async function addDue(...subjects: readonly number[]): Promise<void> {
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, status, next_attempt_dt)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 'application', subject,
       nr + (SELECT count(*) FROM notification_deliveries), '{}', 'due', now()
     FROM unnest($2::bigint[]) WITH ORDINALITY AS given (subject, nr)`,
    [subscription.id, subjects],
  );
}

const set = (sequence: number, assignments: string): Promise<unknown> =>
  database.query(`UPDATE notification_deliveries SET ${assignments} WHERE sequence = $1`, [sequence]);
const failed = (sequence: number): Promise<unknown> =>
  set(sequence, `status = 'due', attempts = 1, failures = 1, next_attempt_dt = now() + interval '1 hour'`);
/** Ends the wait for a retry, so that the delivery is due again. */
const comesDue = (sequence: number): Promise<unknown> =>
  set(sequence, `next_attempt_dt = GREATEST(now(), created_dt + interval '1 millisecond')`);

async function pickIds(): Promise<readonly number[]> {
  return (await pickDueDeliveries(database, { hot: 1_000, slow: 1_000 })).map(({ id }) => id);
}
/** Picks deliveries, and returns their sequences. */
async function pick(): Promise<readonly number[]> {
  const ids = await pickIds();
  return (await readDeliveries(database)).filter(({ id }) => ids.includes(id)).map(({ sequence }) => sequence);
}
/** Number of deliveries that are due now. */
async function countDue(): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM notification_deliveries WHERE status = 'due' AND next_attempt_dt <= now()`,
  );
  return row?.n ?? 0;
}

describe('a delivery that waits for a retry', () => {
  it.each([
    ['a plain endpoint', {}],
    ['a throttle', { throttle: { limit: 100, per_s: 60 } }],
    ['batches', { batch: { max: 10, wait_ms: 0 } }],
  ] as const)('makes later deliveries about its subject wait, with %s', async (_, modes) => {
    await setModes(modes);
    await addDue(7, 7);
    await failed(1);
    expect(await pick()).toEqual([]);
    await addDue(8);
    expect(await pick()).toEqual([3]);
    await set(3, `status = 'delivered'`);
    await comesDue(1);
    expect(await pick()).toEqual([1]);
    expect(await pick()).toEqual([]);
    await set(1, `status = 'delivered'`);
    expect(await pick()).toEqual([2]);
  });

  it.each(['exhausted', 'cancelled'])('makes no delivery wait any more once it is %s', async (status) => {
    await addDue(7, 7);
    await failed(1);
    await set(1, `status = '${status}', next_attempt_dt = NULL`);
    expect(await pick()).toEqual([2]);
  });

  it('delays no delivery of an endpoint without ordering, and none of another subscription', async () => {
    await addDue(7, 7);
    await failed(1);
    await setModes({ ordering: 'none' });
    expect(await pick()).toEqual([2]);
    await setModes({});
    ({ subscription } = await subscribe(database));
    await addDue(7);
    expect(await pick()).toEqual([3]);
  });

  it('makes later deliveries wait while it is due, even behind more deliveries than the due poller reads', async () => {
    await addDue(7, ...Array.from({ length: 300 }, () => 7));
    await failed(1);
    await comesDue(1);
    expect(await pick()).toEqual([]);
    await postponeBlocked(database);
    expect(await pick()).toEqual([1]);
  });

  it('keeps later deliveries about its subject out of a chain', async () => {
    await addDue(1, 7, 8, 7, 8);
    await failed(2);
    await database.query('UPDATE notification_subscriptions SET in_flight_limit = 1, max_in_flight = 1');
    const [id] = await pickIds();
    const leader = await claimOne(database, id ?? 0);
    if (!leader) throw new Error('the delivery was not claimed');
    const [followers] = await claimFollowers(database, [leader], 1);
    expect([leader, ...(followers ?? [])].map(({ sequence }) => sequence)).toEqual([1, 3, 5]);
  });

  it('is in the same chain as later deliveries about its subject, before them, when it is due', async () => {
    await addDue(1, 7, 7, 8, 7);
    await failed(2);
    await comesDue(2);
    await database.query('UPDATE notification_subscriptions SET in_flight_limit = 1, max_in_flight = 1');
    const [id] = await pickIds();
    const leader = await claimOne(database, id ?? 0);
    if (!leader) throw new Error('the delivery was not claimed');
    const [followers] = await claimFollowers(database, [leader], 1);
    expect([leader, ...(followers ?? [])].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps later deliveries about its subject out of a batch', async () => {
    await setModes({ batch: { max: 10, wait_ms: 0 } });
    await addDue(1, 7, 8, 7, 8);
    await failed(2);
    const [picked] = await pickDueDeliveries(database, { hot: 10, slow: 10 });
    if (!picked) throw new Error('no delivery was picked');
    const { id, occurred_dt: occurred, attempts, requeues } = picked;
    const job = { deliveryId: id, occurred: occurred.getTime(), attempts, requeues };
    const batch = await claimBatch(database, { job, token: randomUUID() }, 1);
    expect(batch.map(({ sequence }) => sequence)).toEqual([1, 3, 5]);
  });
});

describe('deliveries behind a delivery that waits for a retry', () => {
  it('do not hide deliveries about other subjects', async () => {
    await addDue(7, ...Array.from({ length: 250 }, () => 7), 8);
    await failed(1);
    expect(await pick()).toEqual([]);
    await postponeBlocked(database);
    expect(await pick()).toEqual([252]);
  });

  it('become due with it, and keep their order among deliveries that were never postponed', async () => {
    await addDue(7, 7, 7);
    await failed(1);
    await postponeBlocked(database);
    await addDue(7);
    await set(1, `status = 'delivered'`);
    expect(await pick()).toEqual([]);
    await database.query(`UPDATE notification_deliveries SET next_attempt_dt = created_dt + interval '1 millisecond'
      WHERE next_attempt_dt > now() + interval '1 minute'`);
    const order: number[] = [];
    for (let count = 0; count < 3; count++) {
      const picked = await pick();
      order.push(...picked);
      for (const sequence of picked) await set(sequence, `status = 'delivered'`);
    }
    expect(order).toEqual([2, 3, 4]);
  });

  it('are brought forward by the redelivery of that delivery', async () => {
    await addDue(7, 7, 8);
    await failed(1);
    await failed(3);
    await postponeBlocked(database);
    expect(await countDue()).toBe(0);
    const [first] = await readDeliveries(database);
    const key = { topicId: subscription.topic_id, id: subscription.id };
    await database.transaction((transaction) => redeliver(transaction, key, first?.id ?? 0));
    expect(await countDue()).toBe(2);
    expect(await pick()).toEqual([1]);
  });
});
