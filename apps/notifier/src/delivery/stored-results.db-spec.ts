// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/eventually.js';
import { readAttempts, readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { addQueued } from '../../test/queued.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

const delivered = (count: number): Promise<void> =>
  eventually(async () =>
    expect((await readDeliveries(stage.database)).filter(({ status }) => status === 'delivered')).toHaveLength(count),
  );

const readCounters = (): Promise<object[]> =>
  stage.database.query(
    `SELECT last_success_dt IS NOT NULL AS succeeded, average_latency_ms IS NOT NULL AS measured,
       limit_successes AS successes FROM notification_subscriptions`,
  );

describe('the successes of a subscription', () => {
  it('are counted while the notifier runs', async () => {
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readCounters()).toEqual([{ succeeded: true, measured: true, successes: 1 }]),
    );
  });

  it('are all counted when the notifier stops', async () => {
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    for (let subjectId = 1; subjectId <= 12; subjectId++) await recordEvent(stage.database, { subjectId });
    await stage.wake();
    await delivered(12);
    await stage.stopNotifiers();
    expect(await readCounters()).toEqual([{ succeeded: true, measured: true, successes: 12 }]);
  });
});

describe('a success', () => {
  it('is stored by finishAttempts when finishSuccesses fails', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    const id = await addQueued(stage.database, subscription.id);
    // This log entry of the attempt makes `finishSuccesses` fail, because it never replaces an existing log entry.
    await stage.database.query(
      `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, worker)
       SELECT occurred_dt, id, 1, reason, 'interrupted', '', 'dead' FROM notification_deliveries WHERE id = $1`,
      [id],
    );
    await stage.start();
    await delivered(1);
    expect(await readAttempts(stage.database)).toMatchObject([{ attempt: 1, state: 'done', status_code: 204 }]);
    expect(receiver.requests).toHaveLength(1);
  });
});
