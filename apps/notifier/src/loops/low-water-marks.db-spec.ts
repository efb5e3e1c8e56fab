import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { disableSubscription, enableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { BY_NOTIFIER, recordEvent, subscribe } from '../../test/fixtures.js';
import { createMatcher, readEvents } from '../../test/matchers.js';
import { useStage } from '../../test/running-notifier.js';
import { PICK, pickDueDeliveries } from '../delivery/store/due-deliveries.js';
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
  // Each call of this clock adds a second, so a read seems slow. So only the first read in a test is a full read.
  lowWaterMarks = new LowWaterMarks(database, () => (nowMs += 1_000));
});
afterEach(() => stage.reset());

/** Reads the marks some seconds after the previous read. */
async function readMarks(secondsLater = 2): Promise<Marks> {
  nowMs += secondsLater * 1_000;
  return lowWaterMarks.refreshed();
}

/** Adds deliveries. `columns` has the SQL for each column. Sequences and ids of subjects count up from `first`. */
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

/** Returns the sequences of the deliveries that the due poller picks with these marks. */
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

describe('low-water marks', () => {
  it.each([
    ['due', { status: `'due'`, next_attempt_dt: AN_HOUR_AGO }, ['due']],
    ['queued', { status: `'queued'`, next_attempt_dt: AN_HOUR_AGO, queued_dt: AN_HOUR_AGO }, ['due', 'queued']],
    [
      'being sent',
      { status: `'sending'`, next_attempt_dt: AN_HOUR_AGO, lease_until_dt: AN_HOUR_AGO, ...LEASE },
      ['due', 'lease'],
    ],
  ] as const)('are never later than the times of a delivery that is %s', async (_, columns, kinds) => {
    await add(columns);
    const marks = await readMarks();
    const [row] = await database.query<{ kinds: readonly string[] }>(
      `SELECT array_agg(kind ORDER BY kind) AS kinds FROM unnest(ARRAY['due', 'queued', 'lease'], $1::timestamptz[])
         AS mark (kind, at) WHERE at <= ${AN_HOUR_AGO} + interval '1 minute'`,
      [[marks.due, marks.queued, marks.lease]],
    );
    expect(row?.kinds).toEqual([...kinds].sort());
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

  it('are read from a time before the current marks, so that a late commit is found', async () => {
    await add({ status: `'delivered'` }, 1, 100);
    await readMarks();
    await add({ status: `'due'`, next_attempt_dt: `now() - interval '30 seconds'` }, 200);
    expect(await pick(lowWaterMarks.current)).toEqual([]);
    expect(await pick(await readMarks())).toEqual([200]);
  });

  it('are never later than an event whose transaction commits late', async () => {
    const matcher = createMatcher(database, undefined, lowWaterMarks);
    const late = database.transaction(async (transaction) => {
      await transaction.query(
        `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
         VALUES ('STATE_CHANGE_APPLICATION', 'application', 1, 3, 'UTC', '{"application.app_type": "vacancy_application"}')`,
      );
      await recordEvent(database, { subjectId: 2 });
      for (let round = 0; round < 5; round++) {
        nowMs += 2_000;
        await matcher.matchBatch();
      }
      expect(lowWaterMarks.current.event).toBe(2);
    });
    await late;
    nowMs += 2_000;
    expect(await matcher.matchBatch()).toMatchObject({ events: 1 });
    expect((await readEvents(database)).map(({ status }) => status)).toEqual(['done', 'done']);
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
    const [row] = await database.query<{ due: string }>(`SELECT (now() - interval '5 seconds')::text AS due`);
    expect(await pick({ ...NO_MARKS, ...row })).toEqual([1]);
  });

  it('avoid reading index entries that PostgreSQL cannot remove while a transaction is open', async () => {
    const buffersRead = async (marks: Marks): Promise<number> => {
      const [plan] = await database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${PICK}`,
        [100, 100, marks.due, marks.queued, marks.lease],
      );
      return plan?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? 0;
    };
    await database.transaction(async (open) => {
      await open.query('SELECT pg_current_xact_id()');
      await add({ status: `'due'`, next_attempt_dt: AN_HOUR_AGO }, 1, 2_000);
      await database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = ${AN_HOUR_AGO}`);
      await database.query(`UPDATE notification_deliveries SET status = 'sending', queued_dt = NULL,
        lease_until_dt = ${AN_HOUR_AGO}, lease_token = gen_random_uuid(), lease_worker = 1`);
      await database.query(`UPDATE notification_deliveries SET status = 'delivered', lease_until_dt = NULL,
        lease_token = NULL, lease_worker = NULL`);
      const marks = await readMarks();
      expect(3 * (await buffersRead(marks))).toBeLessThan(await buffersRead(NO_MARKS));
    });
  });
});
