// @group split: npm test compares three of the random worlds, and looks for deadlocks in five of twenty rounds
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { disableSubscription, enableSubscription } from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';
import fc from 'fast-check';
import { TestAttempts } from '../../../test/attempts.js';
import { addRecruiters, BY_NOTIFIER, readAttempts, readDeliveries, subscribe, WORKER } from '../../../test/fixtures.js';
import { FinishedWorld, finishedWorld, worldOfBothPaths } from '../../../test/finished-world.js';
import { useStage } from '../../../test/running-notifier.js';
import { asSeveralProcesses } from '../../../test/several-processes.js';
import { type FinishedAttempt, finishAttempts } from './finish-attempts.js';
import { finishSuccesses, isPlainSuccess } from './finish-successes.js';
import { SuccessCounters } from './success-counters.js';

const isLong = process.env['TEST_ALL'] === '1';
const stage = useStage();
const attempts = new TestAttempts(stage);
let database: Database;
let processes: Database;

beforeAll(async () => {
  ({ database } = stage);
  processes = asSeveralProcesses(database);
  await addRecruiters(database, 12);
});
afterEach(() => stage.reset());

const fast = (finished: readonly FinishedAttempt[]): Promise<readonly (Date | null)[]> =>
  finishSuccesses(processes, finished, 'test');

/**
 * Finishes attempts as the notifier does.
 * @returns the number of attempts that `finishSuccesses` left to `finishAttempts`
 */
async function finishBoth(finished: readonly FinishedAttempt[], counters: SuccessCounters): Promise<number> {
  const plain = finished.filter(isPlainSuccess);
  const times = plain.length > 0 ? await fast(plain) : [];
  const stored = plain.flatMap((attempt, index) => {
    const time = times[index];
    return time ? [{ attempt, time }] : [];
  });
  counters.add(
    stored.map(({ attempt: { delivery, outcome }, time }) => ({
      subscriptionId: delivery.subscription_id,
      durationMs: outcome.durationMs,
      finished: time,
    })),
  );
  const done = new Set(stored.map(({ attempt }) => attempt));
  const others = finished.filter((attempt) => !done.has(attempt));
  if (others.length > 0) await finishAttempts(database, others, WORKER);
  return others.length;
}

/** Deletes all answers in one transaction, as anonymising candidates does. The deliveries have any order. */
const deleteAnswers = (ids: readonly number[]): Promise<void> =>
  database.transaction(async (transaction) => {
    await runStatement(transaction, 'SELECT FROM notification_subscriptions ORDER BY id FOR NO KEY UPDATE');
    for (const id of ids)
      await runStatement(transaction, 'UPDATE notification_deliveries SET keeps_answers = false WHERE id = $1', [id]);
  });

const isSuccess = ({ outcome }: FinishedAttempt): boolean => outcome.error === null;

describe('a success that finishSuccesses stores', () => {
  it('leaves the same rows as with finishAttempts', async () => {
    const paths = { fast: 0, slow: 0 };
    await fc.assert(
      fc.asyncProperty(finishedWorld, fc.boolean(), async (description, isWrittenLate) => {
        await stage.reset();
        const [one, other] = [
          await FinishedWorld.create(database, description),
          await FinishedWorld.create(database, description),
        ];
        const counters = new SuccessCounters(database);
        const successes = one.finished.filter(isSuccess);
        const slow = await finishBoth(successes, counters);
        if (!isWrittenLate) await counters.write();
        await finishBoth(
          one.finished.filter((attempt) => !isSuccess(attempt)),
          counters,
        );
        await counters.write();
        for (const isOk of [true, false]) {
          const batch = other.finished.filter((attempt) => isSuccess(attempt) === isOk);
          if (batch.length > 0) await finishAttempts(database, batch, WORKER);
        }
        expect(await one.rows()).toEqual(await other.rows());
        paths.slow += slow;
        paths.fast += successes.length - slow;
      }),
      { numRuns: isLong ? 100 : 4, examples: [[worldOfBothPaths, false]] },
    );
    // The test compares two statements, so the generated cases must include both.
    expect(paths.fast).toBeGreaterThan(0);
    expect(paths.slow).toBeGreaterThan(0);
  });

  it('stores the attempt, the time and the same average latency as finishAttempts', async () => {
    const [one, other] = [
      await attempts.sending(204, { durationMs: 7 }),
      await attempts.sending(204, { durationMs: 7 }),
    ];
    const counters = new SuccessCounters(database);
    expect(await finishBoth([one], counters)).toBe(0);
    await counters.write();
    await attempts.finish(other);
    expect(await readDeliveries(database)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    expect(await readAttempts(database)).toMatchObject([{ duration_ms: 7 }, { duration_ms: 7 }]);
    const subscriptions = await database.query<{ ms: number; success: Date }>(
      `SELECT average_latency_ms AS ms, last_success_dt AS success FROM notification_subscriptions ORDER BY id`,
    );
    expect(subscriptions).toMatchObject([{ ms: 7 }, { ms: 7 }]);
    const [delivery] = await database.query<{ finished_dt: Date }>(
      'SELECT finished_dt FROM notification_deliveries ORDER BY id LIMIT 1',
    );
    expect(subscriptions[0]?.success).toEqual(delivery?.finished_dt);
  });

  it('is left to finishAttempts while another transaction holds its delivery', async () => {
    const [free, locked] = [await attempts.sending(204), await attempts.another(204)];
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM notification_deliveries WHERE id = $1 FOR NO KEY UPDATE', [
        locked.delivery.id,
      ]);
      expect(await fast([locked, free])).toEqual([null, expect.any(Date)]);
    });
    expect(await attempts.finish(locked)).toBe('delivered');
  });

  it('is stored once when its result is stored several times', async () => {
    const finished = await attempts.sending(204);
    expect(await fast([finished])).toEqual([expect.any(Date)]);
    expect(await fast([finished])).toEqual([null]);
    expect(await readAttempts(database)).toHaveLength(1);
  });

  it('never deadlocks with disabling, enabling and anonymising', async () => {
    for (let round = 0; round < (isLong ? 20 : 5); round++) {
      await stage.reset();
      const ids: number[] = [];
      const finished: FinishedAttempt[] = [];
      for (let index = 0; index < 3; index++) {
        const { subscription } = await subscribe(database);
        ids.push((attempts.subscriptionId = subscription.id));
        for (let count = 0; count < 8; count++) finished.push(await attempts.another(204));
      }
      const counters = new SuccessCounters(database);
      const halves = [
        finished.filter((_, index) => index % 2 === 0),
        finished.filter((_, index) => index % 2 === 1).reverse(),
      ];
      await Promise.all([
        ...halves.map((half) => finishBoth(half, counters).then(() => counters.write())),
        deleteAnswers(finished.map(({ delivery: { id } }) => id).reverse()),
        ...ids.map(async (id) => {
          await database.transaction((transaction) => disableSubscription(transaction, id, 'requested', BY_NOTIFIER));
          await database.transaction((transaction) => enableSubscription(transaction, id));
        }),
      ]);
      const statuses = (await readDeliveries(database)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set(['delivered']));
      expect((await readAttempts(database)).filter((row) => row.response_excerpt !== null)).toEqual([]);
    }
  });
});
