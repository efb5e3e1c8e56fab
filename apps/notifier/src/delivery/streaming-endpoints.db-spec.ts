import { afterEach, describe, expect, it } from '@jest/globals';
import { readEndpointFeed } from '@ats/domain';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { pickDueDeliveries } from './store/due-deliveries.js';

const stage = useStage();
const receiver = useReceiver();

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

/** Creates a subscription whose endpoint has no destination. */
async function subscribeStream(): Promise<{ readonly id: number; readonly endpoint_id: number }> {
  const { subscription } = await subscribe(stage.database, { url: receiver.url });
  await stage.database.query('UPDATE notification_endpoints SET destination_url = NULL WHERE id = $1', [
    subscription.endpoint_id,
  ]);
  return subscription;
}

const whenDelivered = (count: number): Promise<void> =>
  eventually(async () =>
    expect((await readDeliveries(stage.database)).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: count }, () => ['delivered', 0]),
    ),
  );

describe('an endpoint without a destination', () => {
  it('delivers its messages by its feed, and posts nothing', async () => {
    const { id, endpoint_id: endpointId } = await subscribeStream();
    const { subscription: posted } = await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    for (let n = 1; n <= 3; n++) await recordEvent(stage.database, { subjectId: n });
    await stage.wake();
    await eventually(async () => {
      const rows = await readDeliveries(stage.database);
      const attemptsOf = (of: number): readonly number[] =>
        rows.filter((row) => row.status === 'delivered' && row.subscription_id === of).map(({ attempts }) => attempts);
      expect([attemptsOf(id), attemptsOf(posted.id)]).toEqual([
        [0, 0, 0],
        [1, 1, 1],
      ]);
    });
    expect(receiver.requests).toHaveLength(3);
    const { messages } = await readEndpointFeed(stage.database, {
      endpointId,
      after: 0,
      limit: 10,
      subscriptionIds: [id],
    });
    expect(messages.map(({ position, sequence }) => [position, sequence])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('delivers by its feed also due messages, such as messages from a notifier of the previous release', async () => {
    const { id } = await subscribeStream();
    await stage.database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
         topic_revision, subject_type, subject_id, sequence, body, status, next_attempt_dt)
       SELECT now(), gen_random_uuid(), n, $1, 1, 1, 'application', n, n, '{}', 'due', now() - interval '1 second'
       FROM generate_series(1, 3) n`,
      [id],
    );
    expect(await pickDueDeliveries(stage.database, { hot: 10, slow: 10 })).toEqual([]);
    await stage.start();
    await whenDelivered(3);
    expect(receiver.requests).toEqual([]);
  });
});
