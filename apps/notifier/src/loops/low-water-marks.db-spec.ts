import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { disableSubscription, enableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { BY_NOTIFIER, recordEvent, subscribe } from '../../test/fixtures.js';
import { eventually } from '../../test/eventually.js';
import { createMatcher, readEvents } from '../../test/matchers.js';
import { useStage } from '../../test/running-notifier.js';
import { pickDueDeliveries } from '../delivery/store/due-deliveries.js';
import { type Marks, LowWaterMarks, NO_MARKS } from './low-water-marks.js';

const stage = useStage();
let database: Database;
let subscriptionId: number;
let nowMs: number;
let lowWaterMarks: LowWaterMarks;

beforeAll(() => void ({ database } = stage));
beforeEach(async () => {
  subscriptionId = (await subscribe(database)).subscription.id;
  nowMs = 0;
  lowWaterMarks = new LowWaterMarks(database, () => nowMs);
});
afterEach(() => stage.reset());

/** Reads the marks until they change. They do not change while a transaction of another test is open on this server. */
async function readMarks(): Promise<Marks> {
  const before = await lowWaterMarks.refreshed();
  return eventually(async () => {
    nowMs += 10_000;
    const marks = await lowWaterMarks.refreshed();
    expect(marks).not.toBe(before);
    return marks;
  });
}

/** Adds deliveries. `columns` maps columns to SQL. Sequence and subject are numbers, the first of them `first`. */
async function add(columns: Readonly<Record<string, string>>, first = 1, count = 1): Promise<void> {
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, ${Object.keys(columns).join()})
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 'application', n, n, '{}',
       ${Object.values(columns).join()}
     FROM generate_series($2::integer, $2::integer + $3::integer - 1) n`,
    [subscriptionId, first, count],
  );
}

/** Picks deliveries with these marks. Returns their sequences. */
async function pick(marks: Marks): Promise<readonly number[]> {
  const picked = await pickDueDeliveries(database, { hot: 1_000, slow: 1_000 }, marks);
  const rows = await database.query<{ sequence: number }>(
    'SELECT sequence FROM notification_deliveries WHERE id = ANY($1) ORDER BY next_attempt_dt, id',
    [picked.map(({ id }) => id)],
  );
  return rows.map(({ sequence }) => sequence);
}

const AN_HOUR_AGO = `now() - interval '1 hour'`;
const LEASE = { lease_token: 'gen_random_uuid()', lease_worker: '1' };

/** Adds an event that needs no value besides its snapshot. */
const ADD_EVENT = `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
  VALUES ('STATE_CHANGE_APPLICATION', 'application', 1, 3, 'UTC', '{"application.app_type": "vacancy_application"}')`;

describe('low-water marks', () => {
  it.each([
    ['due', { status: `'due'`, next_attempt_dt: AN_HOUR_AGO }, ['due']],
    ['queued', { status: `'queued'`, next_attempt_dt: AN_HOUR_AGO, queued_dt: AN_HOUR_AGO }, ['due', 'queued']],
    [
      'running',
      { status: `'sending'`, next_attempt_dt: AN_HOUR_AGO, lease_until_dt: AN_HOUR_AGO, ...LEASE },
      ['due', 'lease'],
    ],
  ] as const)('are never later than the times of a delivery that is %s', async (_, columns, kinds) => {
    await add(columns);
    const { due, queued, lease } = await readMarks();
    const early = Object.entries({ due, queued, lease }).filter(([, mark]) => mark.getTime() < Date.now() - 3_000_000);
    expect(early.map(([kind]) => kind)).toEqual(kinds);
  });

  it('do not hide a delivery that becomes due again with its old due time', async () => {
    await add({
      status: `'sending'`,
      next_attempt_dt: AN_HOUR_AGO,
      lease_until_dt: `now() + interval '44 seconds'`,
      ...LEASE,
    });
    const marks = await readMarks();
    await database.query(`UPDATE notification_deliveries SET status = 'due', lease_until_dt = NULL, lease_token = NULL,
      lease_worker = NULL`);
    expect(await pick(marks)).toEqual([1]);
  });

  it('are never later than the rows of a transaction that is still running', async () => {
    const matcher = createMatcher(database, undefined, lowWaterMarks);
    let before: Marks = NO_MARKS;
    let newest = 0;
    await database.transaction(async (transaction) => {
      await transaction.query(ADD_EVENT);
      newest = await recordEvent(database, { subjectId: 2 });
      await matcher.matchBatch();
      for (let minute = 0; minute < 5; minute++) {
        nowMs += 60_000;
        before = await lowWaterMarks.refreshed();
      }
    });
    expect(before).toEqual(NO_MARKS);
    expect(await matcher.matchBatch()).toMatchObject({ events: 1 });
    expect((await readEvents(database)).map(({ status }) => status)).toEqual(['done', 'done']);
    await lowWaterMarks.refreshed();
    nowMs += 60_000;
    expect((await readMarks()).event).toBe(newest);
  });

  it('are never later than the oldest event of a backlog', async () => {
    const oldest = await recordEvent(database);
    for (let minute = 0; minute < 5; minute++) {
      await recordEvent(database);
      nowMs += 60_000;
      expect((await lowWaterMarks.refreshed()).event).toBeLessThanOrEqual(oldest);
    }
    expect((await readMarks()).event).toBe(oldest);
  });

  it('are lowered when a row is before them', async () => {
    await recordEvent(database);
    const marks = await readMarks();
    await add({ status: `'due'`, next_attempt_dt: AN_HOUR_AGO });
    expect(await pick(marks)).toEqual([]);
    await eventually(async () => {
      nowMs += 3_600_000;
      expect(await pick(await lowWaterMarks.refreshed())).toEqual([1]);
    });
  });

  it('stay as they are when they cannot be read', async () => {
    const marks = await readMarks();
    nowMs += 60_000;
    await database.query('ALTER TABLE domain_events RENAME TO lost');
    await expect(lowWaterMarks.refreshed()).rejects.toThrow();
    await database.query('ALTER TABLE lost RENAME TO domain_events');
    expect(lowWaterMarks.current).toEqual(marks);
  });

  it('do not hide held deliveries that are released with an earlier due time', async () => {
    await add({ status: `'held'` }, 1, 3);
    await database.transaction(async (transaction) => {
      await disableSubscription(transaction, subscriptionId, 'requested', BY_NOTIFIER);
      await enableSubscription(transaction, subscriptionId);
    });
    await database.query(`UPDATE notification_subscriptions SET last_sequence = 9, released_sequence = 3`);
    await database.query(`UPDATE notification_deliveries SET next_attempt_dt = ${AN_HOUR_AGO} WHERE status = 'due'`);
    await add({ status: `'due'`, next_attempt_dt: 'now()' }, 4);
    expect(await pick({ ...NO_MARKS, due: new Date(Date.now() - 5_000) })).toEqual([1]);
  });
});
