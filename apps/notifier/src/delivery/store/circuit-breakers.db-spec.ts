// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { COUNTED_AT_MOST, OUTBOX, readOutbox } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { recordEvent, subscribe } from '../../../test/fixtures.js';
import { mostRowsScanned } from '../../../test/plan.js';
import { addQueued } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { BREAKERS, readBreakers } from './circuit-breakers.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
/** Expects an age of at least `seconds` and at most ten minutes more, because ages grow during the test. */
function expectAge(age: number | undefined, seconds: number): void {
  expect(age).toBeGreaterThanOrEqual(seconds);
  expect(age).toBeLessThan(seconds + 600);
}

/** Adds a delivery that has been due for `seconds`. A negative number makes it due in the future. */
async function addDue(subscriptionId: number, seconds: number): Promise<void> {
  const id = await addQueued(database, subscriptionId);
  await database.query(
    `UPDATE notification_deliveries SET status = 'due', queued_dt = NULL, next_attempt_dt = $2 WHERE id = $1`,
    [id, secondsAgo(seconds)],
  );
}

const change = (id: number, assignment: string): Promise<object[]> =>
  database.query(`UPDATE notification_subscriptions SET ${assignment} WHERE id = $1`, [id]);

describe('readOutbox', () => {
  it('returns no events and the age 0 for an empty outbox', async () => {
    expect(await readOutbox(database)).toEqual({ events: 0, oldestAge: 0, quarantined: 0 });
  });

  it('returns the age of the oldest event that is neither matched nor quarantined', async () => {
    for (const seconds of [20_000, 10_000, 4_000, 1_000])
      await recordEvent(database, { occurred: secondsAgo(seconds) });
    await database.query(`UPDATE domain_events SET status = 'done' WHERE id = (SELECT min(id) FROM domain_events)`);
    await database.query(
      `UPDATE domain_events SET status = 'quarantined' WHERE id = (SELECT max(id) FROM domain_events)`,
    );
    const outbox = await readOutbox(database);
    expect(outbox).toMatchObject({ events: 2, quarantined: 1 });
    expect(outbox.oldestAge).toBeGreaterThanOrEqual(10_000);
    expect(outbox.oldestAge).toBeLessThan(20_000);
  });
});

describe('readBreakers', () => {
  it('returns every state, even when no subscription has it', async () => {
    for (const assignment of [
      'max_in_flight = 4',
      'consecutive_failures = 4',
      'consecutive_failures = 5',
      'is_recovering = true',
      `disabled_dt = now(), disabled_reason = 'gone', consecutive_failures = 9`,
    ]) {
      await change((await subscribe(database)).subscription.id, assignment);
    }
    const byState = new Map((await readBreakers(database)).map(({ state, subscriptions }) => [state, subscriptions]));
    expect(byState).toEqual(
      new Map([
        ['closed', 2],
        ['recovering', 1],
        ['open', 1],
        ['disabled', 1],
      ]),
    );
    await stage.reset();
    expect((await readBreakers(database)).map(({ state, subscriptions }) => [state, subscriptions])).toEqual([
      ['closed', 0],
      ['recovering', 0],
      ['open', 0],
      ['disabled', 0],
    ]);
  });

  it('returns the age of the oldest due delivery of each subscription, not of deliveries due later', async () => {
    const [{ subscription: one }, { subscription: two }, { subscription: failing }] = [
      await subscribe(database),
      await subscribe(database),
      await subscribe(database),
    ];
    await change(failing.id, 'consecutive_failures = 7');
    for (const [id, seconds] of [
      [one.id, 70],
      [one.id, 90],
      [two.id, 20],
      [two.id, -3_600],
      [failing.id, 500],
    ] as const)
      await addDue(id, seconds);
    const [closed, , open] = await readBreakers(database);
    expectAge(closed?.oldestDueMax, 90);
    expectAge(open?.oldestDueMax, 500);
    expect([closed?.late, open?.late]).toEqual([0, 0]);
    await addDue(two.id, 901);
    expect((await readBreakers(database)).map(({ late }) => late)).toEqual([1, 0, 0, 0]);
    await database.query(`DELETE FROM notification_deliveries WHERE next_attempt_dt < now() - interval '900 seconds'`);
    await database.query(`DELETE FROM notification_deliveries WHERE next_attempt_dt < now() - interval '30 seconds'`);
    await database.query('DELETE FROM notification_deliveries WHERE subscription_id = $1 AND next_attempt_dt < now()', [
      two.id,
    ]);
    expect((await readBreakers(database)).map(({ oldestDueMax }) => oldestDueMax)).toEqual([0, 0, 0, 0]);
  });

  it('excludes one in a hundred subscriptions from the 99th percentile', async () => {
    const { topic, subscription } = await subscribe(database);
    await database.query(
      `INSERT INTO notification_subscriptions (topic_id, start_dt, active_from_dt, destination_url, destination_origin)
       SELECT topic_id, start_dt, active_from_dt, destination_url, destination_origin FROM notification_subscriptions,
         generate_series(1, 99) WHERE topic_id = $1`,
      [topic.id],
    );
    await addDue(subscription.id, 1_000);
    const [closed] = await readBreakers(database);
    expect(closed).toMatchObject({ subscriptions: 100, oldestDueP99: 0 });
    expectAge(closed?.oldestDueMax, 1_000);
  });

  it('returns the oldest delivery of each subscription when more deliveries are due than it scans', async () => {
    const { subscription: one } = await subscribe(database);
    const { subscription: two } = await subscribe(database);
    await addDue(one.id, 2_000);
    await addDue(two.id, 3_000);
    const copies = `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
       topic_revision, sequence, body, status, next_attempt_dt)
      SELECT occurred_dt, gen_random_uuid(), n, subscription_id, topic_id, 1, n, '', 'due', now()
        FROM notification_deliveries, generate_series(1, $2::integer) n WHERE subscription_id = $1`;
    await database.query(copies, [one.id, COUNTED_AT_MOST]);
    const [closed] = await readBreakers(database);
    expectAge(closed?.oldestDueMax, 3_000);
    await database.query('DELETE FROM notification_deliveries WHERE subscription_id = $1', [two.id]);
    expectAge((await readBreakers(database))[0]?.oldestDueMax, 2_000);
  });
});

it('readOutbox and readBreakers scan neither deliveries nor matched events sequentially', async () => {
  const { subscription } = await subscribe(database);
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
       topic_revision, sequence, body, status, finished_dt)
     SELECT now(), gen_random_uuid(), n, $1, $2, 1, n, '{}', 'delivered', now() FROM generate_series(1, 20000) n`,
    [subscription.id, subscription.topic_id],
  );
  await database.query(
    `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, status)
     SELECT 'POSTING_CREATE', 'posting', n, 1, 'UTC', '{}', 'done' FROM generate_series(1, 20000) n`,
  );
  await addDue(subscription.id, 5);
  await recordEvent(database);
  await database.query('ANALYZE notification_deliveries, domain_events');
  for (const statement of [OUTBOX, BREAKERS]) expect(await mostRowsScanned(database, statement)).toBeLessThan(100);
});
