import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openSigningKeys, replaceDeliveryModes } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { readDeliveries, secretBox, subscribe, type SubscribedTopic } from '../../../test/fixtures.js';
import { claimOne } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { NO_MARKS } from '../../loops/low-water-marks.js';
import { silentLogger } from '../../../test/silent-logger.js';
import { FollowerClaims } from '../follower-claims.js';
import { claimDeliveries } from './claimed-deliveries.js';
import { pickDueDeliveries, type PickedDelivery } from './due-deliveries.js';
import { finishSuccesses } from './finish-successes.js';
import { claimFollowers } from './follower-deliveries.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const capacity = { hot: 100, slow: 100 };
const pick = (hot: number, slow = 0): Promise<readonly PickedDelivery[]> =>
  pickDueDeliveries(database, capacity, NO_MARKS, { worker: 5, hot, slow });

type Modes = Partial<Parameters<typeof replaceDeliveryModes>[2]>;

/** Creates a subscription with due deliveries, each about another subject. */
async function createBacklog(count: number, modes?: Modes, failures = 0): Promise<SubscribedTopic> {
  const made = await subscribe(database);
  const { id, endpoint_id: endpointId } = made.subscription;
  if (modes)
    await database.transaction((transaction) =>
      replaceDeliveryModes(
        transaction,
        endpointId,
        { ordering: 'subject', throttle: null, batch: null, ...modes },
        secretBox,
      ),
    );
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, status, next_attempt_dt, failures)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, topic_id, 1, 'application', n, n, '{}', 'due',
       now() - interval '1 second', $3
     FROM notification_subscriptions CROSS JOIN generate_series(1, $2::integer) n WHERE id = $1`,
    [id, count, failures],
  );
  return made;
}

const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(database)).map(({ status, attempts }) => `${status} ${attempts}`);

describe('deliveries for own slots', () => {
  it('never let more batches be queued than the queue has room for', async () => {
    for (let endpoint = 0; endpoint < 4; endpoint++) await createBacklog(2, { batch: { max: 2, wait_ms: 0 } });
    const own = { worker: 5, hot: 10, slow: 0 };
    expect(await pickDueDeliveries(database, { hot: 10, slow: 0 }, NO_MARKS, own)).toEqual([]);
    const picked = await pickDueDeliveries(database, { hot: 13, slow: 0 }, NO_MARKS, own);
    expect(picked.map(({ claim }) => claim)).toEqual([null, null, null]);
  });

  it('are claimed when they are picked, and the others are queued for jobs', async () => {
    const { subscription, signingKey } = await createBacklog(6);
    const picked = await pick(3);
    expect(picked.map(({ claim }) => claim !== null)).toEqual([true, true, true, false]);
    expect(await statuses()).toEqual(['sending 1', 'sending 1', 'sending 1', 'queued 0', 'due 0', 'due 0']);
    const [first] = picked;
    expect(first?.claim).toMatchObject({
      subscription_id: subscription.id,
      endpoint_id: subscription.endpoint_id,
      destination_url: 'https://receiver.example.com/',
      type: 'STATE_CHANGE_APPLICATION',
      sequence: 1,
      attempts: 1,
      has_more: true,
      is_batch: false,
    });
    const { secrets, claimed_dt: now = new Date() } = first?.claim ?? {};
    expect(openSigningKeys(secrets?.keys ?? [], { secretBox, now }).current).toBe(signingKey);
    const [row] = await database.query<{ tokens: number; workers: number[]; leases: boolean }>(
      `SELECT count(DISTINCT lease_token)::integer AS tokens, array_agg(DISTINCT lease_worker) AS workers,
         bool_and(lease_until_dt > clock_timestamp() + interval '40 seconds') AS leases
       FROM notification_deliveries WHERE status = 'sending'`,
    );
    expect(row).toEqual({ tokens: 3, workers: [5], leases: true });
  });

  it('use the slots of their lane only, and keep the limits of their subscription', async () => {
    await createBacklog(6, {}, 3);
    await createBacklog(6);
    const picked = await pick(0, 2);
    const claimed = picked.filter(({ claim }) => claim);
    expect(claimed.map(({ lane }) => lane)).toEqual(['slow', 'slow']);
    expect(picked).toHaveLength(8);
    expect(await pick(10, 10)).toEqual([]);
  });

  it('report no further due deliveries when the process claims all deliveries of the subscription', async () => {
    await createBacklog(3);
    expect((await pick(10)).map(({ claim }) => claim?.has_more)).toEqual([false, false, false]);
  });

  it('are not claimed for batches, which begin with a queued delivery', async () => {
    await createBacklog(3, { batch: { max: 2, wait_ms: 0 } });
    expect((await pick(10)).map(({ claim }) => claim)).toEqual([null]);
    expect(await statuses()).toContain('queued 0');
  });

  it('count for the throttle of their endpoint', async () => {
    await createBacklog(4, { throttle: { limit: 2, per_s: 60 } });
    expect(await pick(10)).toHaveLength(2);
    await database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE status = 'sending'`);
    expect(await pick(10)).toEqual([]);
  });

  it.each([
    [0, 10],
    [50, 10],
    [90, 5],
    [1_000, 5],
  ])('at a pace of %d ms, get as many followers as fit into half a second: %d', async (paceMs, expected) => {
    const { subscription } = await createBacklog(20);
    await database.query('UPDATE notification_subscriptions SET average_latency_ms = 50');
    const metrics = { followersClaimed: () => undefined, followersReleased: () => undefined };
    const lowWaterMarks = { current: NO_MARKS };
    const claims = new FollowerClaims({
      database,
      claimant: { worker: 5 },
      lowWaterMarks,
      metrics,
      logger: silentLogger,
    });
    claims.notePace(subscription.id, paceMs);
    const [leader] = await pickDueDeliveries(database, { hot: 1, slow: 0 }, NO_MARKS, { worker: 5, hot: 1, slow: 0 });
    expect(leader?.claim ? await claims.claim(leader.claim) : []).toHaveLength(expected);
  });

  it('have statements that plan without deliveries', async () => {
    expect(await claimDeliveries(database, [], 5)).toEqual([]);
    expect(await claimFollowers(database, [], 5)).toEqual([]);
    expect(await finishSuccesses(database, [], 'test')).toEqual([]);
  });

  it('are not claimed again by a job', async () => {
    await createBacklog(1);
    const [picked] = await pick(1);
    expect(await claimOne(database, picked?.id ?? 0)).toBeNull();
  });
});
