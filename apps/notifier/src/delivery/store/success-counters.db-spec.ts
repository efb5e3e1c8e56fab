import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database } from '@ats/postgres';
import { subscribe } from '../../../test/fixtures.js';
import { useStage } from '../../../test/running-notifier.js';
import { SuccessCounters } from './success-counters.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const earlier = new Date('2026-03-01T10:00:00.000Z');
const later = new Date('2026-03-01T10:00:01.000Z');

const read = (): Promise<object[]> =>
  database.query(
    `SELECT last_success_dt AS success, average_latency_ms AS ms, limit_successes AS successes,
       consecutive_failures AS failures, in_flight_limit AS "limit"
     FROM notification_subscriptions ORDER BY id`,
  );

async function subscribed(set = 'limit_successes = 0'): Promise<number> {
  const { subscription } = await subscribe(database);
  await database.query(`UPDATE notification_subscriptions SET ${set} WHERE id = $1`, [subscription.id]);
  return subscription.id;
}

describe('the success counters', () => {
  it('compute the average latency of a subscription over several batches', async () => {
    const [first, second] = [await subscribed(), await subscribed('average_latency_ms = 1000')];
    const counters = new SuccessCounters(database);
    const success = (subscriptionId: number, durationMs: number, finished = earlier) => ({
      subscriptionId,
      durationMs,
      finished,
    });
    counters.add([success(first, 100, later), success(second, 100), success(first, 300)]);
    counters.add([success(first, 1_200)]);
    await counters.write();
    expect(await read()).toEqual([
      { success: later, ms: 400, successes: 3, failures: 0, limit: 4 }, // average latency: 200 * 0.8 + 1,200 * 0.2
      { success: earlier, ms: 820, successes: 1, failures: 0, limit: 4 },
    ]);
  });

  it('change neither later failures, a reduced limit nor a later success', async () => {
    const id = await subscribed(
      `consecutive_failures = 3, in_flight_limit = 2, limit_successes = 5, last_success_dt = '${later.toISOString()}'`,
    );
    const counters = new SuccessCounters(database);
    counters.add([{ subscriptionId: id, durationMs: 1, finished: earlier }]);
    await counters.write();
    expect(await read()).toEqual([{ success: later, ms: 1, successes: 5, failures: 3, limit: 2 }]);
  });

  it('are written again after a failed write, together with later successes', async () => {
    const id = await subscribed();
    let isAvailable = false;
    const unreliable = Object.create(database, {
      query: {
        value: (text: string, values: readonly unknown[]) =>
          isAvailable ? database.query(text, values) : Promise.reject(new Error('unavailable')),
      },
    }) as Database;
    const counters = new SuccessCounters(unreliable);
    counters.add([{ subscriptionId: id, durationMs: 100, finished: earlier }]);
    const failing = counters.write();
    counters.add([{ subscriptionId: id, durationMs: 200, finished: later }]);
    await expect(failing).rejects.toThrow('unavailable');
    isAvailable = true;
    await counters.write();
    expect(await read()).toEqual([{ success: later, ms: 120, successes: 2, failures: 0, limit: 4 }]);
  });

  it('count no success twice, and ignore deleted subscriptions', async () => {
    const counters = new SuccessCounters(database);
    const id = await subscribed();
    counters.add([{ subscriptionId: id, durationMs: 1, finished: earlier }]);
    counters.add([{ subscriptionId: id + 1_000, durationMs: 1, finished: earlier }]);
    await counters.write();
    await counters.write();
    expect(await read()).toMatchObject([{ successes: 1 }]);
  });
});
