// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { disableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { TestAttempts } from '../../../test/attempts.js';
import { BY_NOTIFIER, readDeliveries, subscribe } from '../../../test/fixtures.js';
import { addDelivered, deliveriesRead, mostRowsScanned } from '../../../test/plan.js';
import { claimOne } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { silentLogger } from '../../../test/silent-logger.js';
import { FollowerClaims } from '../follower-claims.js';
import { type ClaimedDelivery } from './claimed-deliveries.js';
import { pickDueDeliveries } from './due-deliveries.js';
import { finishSuccesses } from './finish-successes.js';
import { asSeveralProcesses } from '../../../test/several-processes.js';
import { BEGIN_CLAIM, CLAIM_FOLLOWERS, claimFollowers, releaseFollowers } from './follower-deliveries.js';
import { NO_MARKS } from '../../loops/low-water-marks.js';
import { plannedTransaction } from '../../loops/planned-transaction.js';

const stage = useStage();
const attempts = new TestAttempts(stage);
let database: Database;
let subscriptionId: number;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

/** Adds due deliveries: one for each given subject, in the order of their sequence. */
async function addDue(subjects: readonly number[], secondsAgo = 1): Promise<void> {
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, status, next_attempt_dt)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 'application', subject,
       nr + (SELECT count(*) FROM notification_deliveries), '{}', 'due', now() - $3 * interval '1 second'
     FROM unnest($2::bigint[]) WITH ORDINALITY AS given (subject, nr)`,
    [subscriptionId, subjects, secondsAgo],
  );
}

/** Returns the parameters of the statement that claims the followers of this delivery. */
const parametersOf = (leader: ClaimedDelivery | undefined): unknown[] => [
  [leader?.lease_token],
  [leader?.subscription_id],
  [leader?.id],
  [leader?.occurred_dt],
  [leader?.destination_url],
  [leader?.endpoint_id],
  1,
  NO_MARKS.due,
  [0],
];

/** Creates a subscription with due deliveries about these subjects. */
async function createBacklog(subjects: readonly number[]): Promise<void> {
  const { subscription } = await subscribe(database);
  subscriptionId = subscription.id;
  await change('average_latency_ms = 5');
  await addDue(subjects);
}

const change = (assignment: string): Promise<object[]> =>
  database.query(`UPDATE notification_subscriptions SET ${assignment} WHERE id = $1`, [subscriptionId]);

const pick = async (): Promise<readonly number[]> =>
  (await pickDueDeliveries(database, { hot: 1_000, slow: 1_000 })).map(({ id }) => id);

/** Picks deliveries and claims them as the leaders of chains. */
async function lead(): Promise<readonly ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = [];
  for (const id of await pick()) claimed.push(...([await claimOne(database, id)].filter(Boolean) as ClaimedDelivery[]));
  return claimed;
}

const follow = (leaders: readonly ClaimedDelivery[]): Promise<readonly (readonly ClaimedDelivery[])[]> =>
  claimFollowers(database, leaders, 1);

/** Returns the deliveries of each chain in their order, each as `subject:sequence`. */
const chainsOf = (
  leaders: readonly ClaimedDelivery[],
  followers: readonly (readonly ClaimedDelivery[])[],
): readonly (readonly string[])[] =>
  leaders.map((leader, index) =>
    [leader, ...(followers[index] ?? [])].map(({ subject_id: subject, sequence }) => `${subject}:${sequence}`),
  );

const countOf = async (wanted: string): Promise<number> =>
  (await readDeliveries(database)).filter(({ status }) => status === wanted).length;

describe('follower deliveries of a chain', () => {
  it('are claimed from due deliveries, each for one chain, and keep the order of each subject', async () => {
    await createBacklog(Array.from({ length: 60 }, (_, index) => index % 10));
    const leaders = await lead();
    const chains = chainsOf(leaders, await follow(leaders));
    expect(chains).toHaveLength(4);
    expect(new Set(chains.flat()).size).toBe(60);
    for (let subject = 0; subject < 10; subject++) {
      const ofSubject = chains.map((chain) => chain.filter((one) => one.startsWith(`${subject}:`)));
      const [only, ...others] = ofSubject.filter((found) => found.length > 0);
      expect(others).toEqual([]);
      expect(only).toEqual([...(only ?? [])].sort((a, b) => Number(a.split(':')[1]) - Number(b.split(':')[1])));
    }
    expect(await countOf('sending')).toBe(60);
  });

  it('use only the slot of their chain, which is free for another leader when the chain has ended', async () => {
    await createBacklog(Array.from({ length: 60 }, (_, index) => index));
    const leaders = await lead();
    const followers = await follow(leaders);
    await addDue([100, 101]);
    expect(await pick()).toEqual([]);
    const ended = [leaders[0], ...(followers[0] ?? [])].map((one) => one?.id);
    await database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE id = ANY($1)`, [ended]);
    expect(await pick()).toHaveLength(1);
  });

  it('do not make their chain hanging before their turn', async () => {
    await createBacklog([1, 2]);
    await change('average_latency_ms = 400');
    const leaders = (await lead()).slice(0, 1);
    await addDue([3]);
    const [[follower] = []] = await follow(leaders);
    expect(follower?.subject_id).toBe(3);
    const [row] = await database.query<{ leads: boolean; follows: boolean }>(
      `SELECT bool_or(id = $1 AND lease_until_dt <= clock_timestamp() + interval '45 seconds') AS leads,
         bool_or(id = $2 AND lease_until_dt > clock_timestamp() + interval '45 seconds') AS follows
       FROM notification_deliveries`,
      [leaders[0]?.id, follower?.id],
    );
    expect(row).toEqual({ leads: true, follows: true });
  });

  it('have no subject that is queued or running elsewhere', async () => {
    await createBacklog([1, 2]);
    const [leader, other] = await lead();
    await addDue([2, 2, 1, 3]);
    const [followers = []] = await follow(leader ? [leader] : []);
    expect(other).toBeDefined();
    const free = leader?.subject_id === 1 ? [1, 3] : [2, 2, 3];
    expect(followers.map(({ subject_id: subject }) => subject)).toEqual(free);
  });

  it('do not overtake a locked delivery of their subject', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 2, 3]);
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM notification_deliveries WHERE sequence = 2 FOR UPDATE');
      const [followers = []] = await follow(leaders);
      expect(followers.map(({ sequence }) => sequence)).toEqual([4]);
    });
  });

  it.each([
    ['is failing', 'consecutive_failures = 1'],
    ['recovers', 'in_flight_limit = 3'],
    ['releases held deliveries', 'released_sequence = 1000'],
    ['is slow', 'average_latency_ms = 1100'],
    ['is disabled', `disabled_dt = now(), disabled_reason = 'requested'`],
  ])('are not claimed while the subscription %s', async (_, assignment) => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 3]);
    await change(assignment);
    expect(await follow(leaders)).toEqual([[]]);
  });

  it.each([`ordering = 'strict'`, 'throttle_limit = 5, throttle_per_s = 1'])(
    'are not claimed for an endpoint with %s',
    async (assignment) => {
      await createBacklog([1]);
      const leaders = await lead();
      await addDue([2, 3]);
      await database.query(`UPDATE notification_endpoints SET ${assignment}`);
      expect(await follow(leaders)).toEqual([[]]);
    },
  );

  it('are not claimed for a leader that lost its claim', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2]);
    await database.query(`UPDATE notification_deliveries SET lease_token = gen_random_uuid() WHERE status = 'sending'`);
    expect(await follow(leaders)).toEqual([[]]);
  });

  it('are claimed once when several notifiers claim at the same time', async () => {
    await createBacklog([1, 2, 3, 4]);
    const leaders = await lead();
    await addDue(Array.from({ length: 40 }, (_, index) => index % 20));
    const processes = asSeveralProcesses(database);
    const all = (await Promise.all(leaders.map((leader) => claimFollowers(processes, [leader], 1)))).flat(2);
    expect(all.length).toBeGreaterThan(0);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const chains = new Map<number | null, Set<string>>();
    for (const { subject_id: subject, lease_token: token } of [...leaders, ...all])
      chains.set(subject, (chains.get(subject) ?? new Set()).add(token));
    for (const tokens of chains.values()) expect(tokens.size).toBe(1);
  });

  it('are finished one by one, although they have the token of their chain', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 3]);
    const [followers = []] = await follow(leaders);
    const template = await attempts.sending(204);
    const finished = [...leaders, ...followers].map((delivery) => ({ ...template, delivery }));
    expect(await finishSuccesses(database, finished.slice(0, 2), 'test')).toEqual([expect.any(Date), expect.any(Date)]);
    const rows = (await readDeliveries(database)).filter((row) => row.subscription_id === subscriptionId);
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'sending']);
  });

  it('are not claimed for a destination that the subscription no longer has', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 3]);
    await change(`destination_url = 'https://new.example/'`);
    expect(await follow(leaders)).toEqual([[]]);
  });

  it('are claimed without a scan of deliveries that are neither due nor running', async () => {
    await createBacklog([1]);
    await addDelivered(database, subscriptionId);
    const [leader] = await lead();
    expect(await mostRowsScanned(database, CLAIM_FOLLOWERS, parametersOf(leader))).toBeLessThan(100);
  });

  it('are claimed with few reads of each due delivery, even if the statistics have no due delivery', async () => {
    await createBacklog([]);
    await addDelivered(database, subscriptionId);
    const subjects = Array.from({ length: 300 }, (_, index) => index);
    await addDue(subjects);
    const [leader] = await lead();
    const read = await plannedTransaction(database, BEGIN_CLAIM, (client) =>
      deliveriesRead((text) => client.query(text, parametersOf(leader)), CLAIM_FOLLOWERS),
    );
    expect(read).toBeGreaterThan(100);
    expect(read).toBeLessThan(10 * subjects.length);
  });
});

describe('followers that were not sent', () => {
  it('are due as before, with their former number of attempts', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 3], 60);
    const before = await readDeliveries(database);
    const [followers = []] = await follow(leaders);
    await releaseFollowers(database, followers);
    expect((await readDeliveries(database)).slice(1)).toMatchObject(
      before.slice(1).map(({ id, status, attempts: count }) => ({ id, status, attempts: count })),
    );
    const [row] = await database.query<{ old: number }>(
      `SELECT count(*)::integer AS old FROM notification_deliveries
       WHERE status = 'due' AND next_attempt_dt < now() - interval '50 seconds'`,
    );
    expect(row?.old).toBe(2);
  });

  it('are held when their subscription was disabled, and cancelled when it was deleted', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2, 3]);
    const [followers = []] = await follow(leaders);
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscriptionId, 'requested', BY_NOTIFIER),
    );
    await releaseFollowers(database, followers.slice(0, 1));
    await database.query('DELETE FROM notification_subscriptions');
    await releaseFollowers(database, followers.slice(1));
    expect((await readDeliveries(database)).map(({ status }) => status)).toEqual(['sending', 'held', 'cancelled']);
  });

  it('are not claimed again as followers at once', async () => {
    await createBacklog([1, 2, 3, 4, 5]);
    const [leader] = await lead();
    const metrics = { followersClaimed: () => undefined, followersReleased: () => undefined };
    const claims = new FollowerClaims({
      database,
      claimant: { worker: 1 },
      lowWaterMarks: { current: NO_MARKS },
      metrics,
      logger: silentLogger,
    });
    const claim = async (): Promise<readonly ClaimedDelivery[]> => (leader ? claims.claim(leader) : []);
    const followers = await claim();
    expect(followers).toHaveLength(1);
    await claims.release(followers);
    expect(await claim()).toEqual([]);
  });

  it('are left unchanged when they lost their claim', async () => {
    await createBacklog([1]);
    const leaders = await lead();
    await addDue([2]);
    const [followers = []] = await follow(leaders);
    await database.query('UPDATE notification_deliveries SET lease_token = gen_random_uuid() WHERE sequence = 2');
    await releaseFollowers(database, followers);
    expect((await readDeliveries(database)).map(({ status }) => status)).toEqual(['sending', 'sending']);
  });
});
