// @group split: npm test runs eight of the random sequences
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database } from '@ats/postgres';
import fc from 'fast-check';
import { subscribe } from '../../../test/fixtures.js';
import { addDelivered, mostRowsScanned } from '../../../test/plan.js';
import { useStage } from '../../../test/running-notifier.js';
import { pickDueDeliveries } from './due-deliveries.js';
import { PICK } from './pick-sql.js';
import { NO_MARKS } from '../../loops/low-water-marks.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const SLOTS = 32;
const MAX_HANGING = 64;
const TROUBLED_SLOTS = 8;
const MAX_OF_SUBSCRIPTION = 4;
const capacity = { hot: 1_000, slow: 1_000 };

/** Picks deliveries, and returns the subscription of each. */
async function pick(lanes = capacity): Promise<number[]> {
  const picked = await pickDueDeliveries(database, lanes);
  const rows = await database.query<{ subscription_id: number }>(
    'SELECT subscription_id FROM notification_deliveries WHERE id = ANY($1)',
    [picked.map(({ id }) => id)],
  );
  return rows.map(({ subscription_id: id }) => id);
}

/** Adds subscriptions with the same origin, and returns their ids. */
async function addSubscriptions(count: number, origin = 'https://shared.example.com'): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.push((await subscribe(database, { url: `${origin}/${index}` })).subscription.id);
  return ids;
}

/**
 * Seconds until a lease ends. With `hanging`, the attempt counts as hanging. With `fresh`, it does not count as hanging
 * during these tests.
 */
const LEASE_SECONDS = { hanging: 44, fresh: 3_600 };

/** Adds due deliveries to each subscription. Each delivery is about another subject. */
const addDue = (ids: readonly number[], count: number, secondsAgo = 1): Promise<{ readonly id: number }[]> =>
  database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
       topic_revision, subject_type, subject_id, sequence, body, status, next_attempt_dt)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, s, 1, 1, 'application', (random() * 1e15)::bigint, n,
       '{}', 'due', now() - $3 * interval '1 second'
     FROM unnest($1::bigint[]) s, generate_series(1, $2::integer) n RETURNING id`,
    [ids, count, secondsAgo],
  );

/** Adds running attempts to each subscription. */
async function addRunning(ids: readonly number[], count: number, kind: keyof typeof LEASE_SECONDS): Promise<void> {
  const added = await addDue(ids, count);
  await setSending(
    added.map(({ id }) => id),
    kind,
  );
}

const setSending = (ids: readonly number[], kind: keyof typeof LEASE_SECONDS): Promise<object[]> =>
  database.query(
    `UPDATE notification_deliveries SET status = 'sending', next_attempt_dt = NULL, lease_token = gen_random_uuid(),
       lease_worker = 1, lease_until_dt = clock_timestamp() + $2 * interval '1 second' WHERE id = ANY($1)`,
    [ids, LEASE_SECONDS[kind]],
  );

const change = (ids: readonly number[], assignment: string): Promise<object[]> =>
  database.query(`UPDATE notification_subscriptions SET ${assignment} WHERE id = ANY($1)`, [ids]);

const countOf = (picked: readonly number[], ids: readonly number[]): number =>
  picked.filter((id) => ids.includes(id)).length;

describe('the concurrency slots of an origin', () => {
  it('are not used by attempts that have run for more than 250 ms', async () => {
    const [healthy, ...hanging] = await addSubscriptions(9);
    await addRunning(hanging, 4, 'hanging');
    await addDue([healthy ?? 0], 4);
    expect(await pick()).toHaveLength(4);
  });

  it('are used by attempts that do not hang', async () => {
    const [healthy, ...busy] = await addSubscriptions(9);
    await addRunning(busy, 4, 'fresh');
    await addDue([healthy ?? 0], 4);
    expect(await pick()).toEqual([]);
  });

  it('are used by hanging attempts beyond the first 64', async () => {
    const [one, two, ...hanging] = await addSubscriptions(25);
    await addRunning(hanging, 4, 'hanging');
    await addDue([one ?? 0, two ?? 0], 4);
    expect(await pick()).toHaveLength(MAX_HANGING + SLOTS - 4 * hanging.length);
  });

  it.each([
    ['failed last', 'consecutive_failures = 1'],
    ['are slow', 'average_latency_ms = 2001'],
  ])('go to at most 8 deliveries of subscriptions that %s', async (_, assignment) => {
    const ids = await addSubscriptions(20);
    const troubled = ids.slice(0, 10);
    await change(troubled, assignment);
    await addDue(troubled, 4, 60);
    await addDue(ids.slice(10), 4);
    const picked = await pick();
    expect([picked.length, countOf(picked, troubled)]).toEqual([SLOTS, TROUBLED_SLOTS]);
    expect(await pick()).toEqual([]);
  });

  it('go to at most 8 deliveries of subscriptions with a hanging attempt', async () => {
    const ids = await addSubscriptions(20);
    const troubled = ids.slice(0, 10);
    await addRunning(troubled, 1, 'hanging');
    await addDue(troubled, 3, 60);
    expect(await pick()).toHaveLength(TROUBLED_SLOTS);
    await addDue(ids.slice(10), 4);
    expect(await pick()).toHaveLength(SLOTS - TROUBLED_SLOTS);
  });

  it('go to no troubled subscription while 64 attempts are hanging', async () => {
    const [failing, healthy, ...hanging] = await addSubscriptions(18);
    await addRunning(hanging, 4, 'hanging');
    await change([failing ?? 0], 'consecutive_failures = 1');
    await addDue([failing ?? 0, healthy ?? 0], 2);
    expect(await pick()).toEqual([healthy, healthy]);
    await database.query(
      `UPDATE notification_deliveries SET status = 'delivered'
       WHERE id = (SELECT min(id) FROM notification_deliveries WHERE status = 'sending')`,
    );
    expect(await pick()).toEqual([failing, failing]);
  });

  it('go to every subscription before one of them gets a second slot', async () => {
    const ids = await addSubscriptions(20);
    await addDue(ids.slice(0, 10), 4, 60);
    await addDue(ids.slice(10), 4);
    const first = await pick({ hot: 20, slow: 20 });
    expect(first.sort()).toEqual([...ids].sort());
    const second = await pick();
    expect([second.length, new Set(second).size]).toEqual([SLOTS - 20, SLOTS - 20]);
  });

  it('go to a failing subscription although all healthy ones have a backlog', async () => {
    const ids = await addSubscriptions(41);
    const [failing] = ids;
    await change([failing ?? 0], 'consecutive_failures = 1');
    await addDue([failing ?? 0], 1, 60);
    await addDue(ids.slice(1), 4);
    expect(await pick()).toContain(failing);
  });

  it('use the capacity of a lane only for deliveries that get a slot, so that other origins keep theirs', async () => {
    const ids = await addSubscriptions(20);
    await addRunning(ids.slice(0, 8), 4, 'fresh');
    await addDue(ids.slice(8), 4, 60);
    const [other] = await addSubscriptions(1, 'https://other.example.com');
    await addDue([other ?? 0], 1);
    expect(await pick({ hot: 5, slow: 5 })).toEqual([other]);
  });
});

interface SubscriptionState {
  readonly id: number;
  readonly origin: string;
  readonly cap: number;
  readonly running: number;
  readonly hanging: number;
  readonly due: number;
  readonly isTroubled: boolean;
}

const readStates = (): Promise<SubscriptionState[]> =>
  database.query<SubscriptionState>(
    `SELECT s.id, destination_origin AS origin, running, hanging, due,
       CASE WHEN consecutive_failures >= 5 THEN 1 ELSE in_flight_limit END AS cap,
       hanging > 0 OR consecutive_failures > 0 OR COALESCE(average_latency_ms > 2000, false) AS "isTroubled"
     FROM notification_subscriptions s CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE status IN ('queued', 'sending'))::integer AS running,
         count(*) FILTER (WHERE status = 'sending' AND lease_until_dt < now() + interval '10 min')::integer AS hanging,
         count(*) FILTER (WHERE status = 'due')::integer AS due
       FROM notification_deliveries WHERE subscription_id = s.id) d ORDER BY s.id`,
  );

const total = <Item>(items: readonly Item[], read: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);

/** Expects that a pick kept the limits of an origin, used all slots that it could, and was fair. */
function expectFairPick(before: readonly SubscriptionState[], picked: readonly number[]): void {
  const states = before.map((state) => {
    const got = countOf(picked, [state.id]);
    return { ...state, got, now: state.running + got };
  });
  const troubled = states.filter(({ isTroubled }) => isTroubled);
  const hanging = total(states, (state) => state.hanging);
  const slots = total(states, ({ now }) => now) - Math.min(hanging, MAX_HANGING);
  const troubledSlots = total(troubled, (state) => state.now - state.hanging);
  expect(slots).toBeLessThanOrEqual(SLOTS);
  for (const { now, got, cap } of states) expect(now).toBeLessThanOrEqual(got > 0 ? cap : MAX_OF_SUBSCRIPTION);
  if (troubled.some(({ got }) => got > 0)) {
    expect(troubledSlots).toBeLessThanOrEqual(TROUBLED_SLOTS);
    expect(hanging).toBeLessThan(MAX_HANGING);
  }
  const canShare = troubledSlots < TROUBLED_SLOTS && hanging < MAX_HANGING;
  const waiting = states.filter(({ due, got, now, cap }) => due > got && now < cap);
  if (waiting.some(({ isTroubled }) => !isTroubled || canShare)) expect(slots).toBe(SLOTS);
  // Slots are shared fairly: a subscription that got a slot may have at most one running attempt more than a healthy
  // subscription that still waits.
  const most = Math.max(0, ...states.filter(({ got }) => got > 0).map(({ now }) => now));
  for (const { isTroubled, now } of waiting) if (!isTroubled) expect(now + 1).toBeGreaterThanOrEqual(most);
}

const HEALTH = [
  'consecutive_failures = 0, average_latency_ms = 100, in_flight_limit = 4',
  'consecutive_failures = 1, average_latency_ms = NULL, in_flight_limit = 2',
  'consecutive_failures = 5, average_latency_ms = 100, in_flight_limit = 1',
  'consecutive_failures = 0, average_latency_ms = 3000, in_flight_limit = 4',
] as const;

const choices = <Choice>(...all: readonly Choice[]): fc.Arbitrary<Choice[]> =>
  fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 7 });

/**
 * One random step: numbers of due deliveries, states of subscriptions, and what happens to attempts. The entries of
 * each list are assigned to the subscriptions or attempts in turn, again and again.
 */
const step = fc.record({
  due: choices(0, 1, 2, 5),
  health: choices(0, 0, 0, 0, 1, 2, 3),
  attempts: choices('stays', 'begins', 'hangs', 'hangs', 'ends'),
});

/** Assigns the choices to the values in turn. Groups the values by their choice. */
function divide<Value, Choice>(values: readonly Value[], all: readonly Choice[]): Map<Choice, Value[]> {
  const groups = new Map<Choice, Value[]>(all.map((choice) => [choice, []]));
  for (const [index, value] of values.entries()) groups.get(all[index % all.length] as Choice)?.push(value);
  return groups;
}

const readIds = async (status: string): Promise<number[]> =>
  (
    await database.query<{ id: number }>('SELECT id FROM notification_deliveries WHERE status = ANY($1) ORDER BY id', [
      status.split(' '),
    ])
  ).map(({ id }) => id);

it('pickDueDeliveries keeps all limits, uses all usable slots, and is fair to healthy subscriptions', async () => {
  const crowded = await addSubscriptions(34);
  const others = await addSubscriptions(10, 'https://other.example.com');
  const ids = [...crowded, ...others];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      await database.query('DELETE FROM notification_deliveries');
      for (const { due, health, attempts } of steps) {
        for (const [count, group] of divide(ids, due)) await addDue(group, count);
        for (const [index, group] of divide(ids, health)) await change(group, HEALTH[index] ?? '');
        const before = await readStates();
        const picked = await pick();
        for (const origin of new Set(before.map((state) => state.origin)))
          expectFairPick(
            before.filter((state) => state.origin === origin),
            picked,
          );
        const moves = divide(await readIds('queued sending'), attempts);
        const queued = new Set(await readIds('queued'));
        await setSending(
          (moves.get('begins') ?? []).filter((id) => queued.has(id)),
          'fresh',
        );
        await setSending(moves.get('hangs') ?? [], 'hanging');
        await database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE id = ANY($1)`, [
          moves.get('ends') ?? [],
        ]);
      }
    }),
    { numRuns: process.env['TEST_ALL'] === '1' ? 40 : 4, interruptAfterTimeLimit: 60_000 },
  );
});

it('pickDueDeliveries scans only deliveries that are due, queued or running', async () => {
  const [id] = await addSubscriptions(1);
  await addDelivered(database, id ?? 0);
  await addDue([id ?? 0], 5);
  await addRunning([id ?? 0], 2, 'hanging');
  await database.query('ANALYZE notification_deliveries');
  const marks = [NO_MARKS.due, NO_MARKS.queued, NO_MARKS.lease];
  expect(await mostRowsScanned(database, PICK, [100, 100, ...marks, 1, 50, 50])).toBeLessThan(100);
});
