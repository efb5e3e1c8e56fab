// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Ordering, replaceDeliveryModes, type Throttle } from '@ats/domain';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { type Respond, useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { pickDueDeliveries } from './store/due-deliveries.js';

const stage = useStage();
const receiver = useReceiver();

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

/**
 * Creates a subscription to the receiver. Its endpoint has these modes.
 * @returns the id of the subscription
 */
async function subscribeWith({
  ordering = 'subject',
  throttle = null,
}: {
  readonly ordering?: Ordering;
  readonly throttle?: Throttle | null;
}): Promise<number> {
  const { subscription } = await subscribe(stage.database, { url: receiver.url });
  await stage.database.transaction((transaction) =>
    replaceDeliveryModes(transaction, subscription.endpoint_id, { ordering, throttle, batch: null }, secretBox),
  );
  return subscription.id;
}

const addEvents = async (count: number, subjects: number): Promise<void> => {
  for (let n = 0; n < count; n++) await recordEvent(stage.database, { subjectId: 1 + (n % subjects) });
  await stage.wake();
};

const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(stage.database)).map((one) => one.status);
const whenAllAre = (...wanted: readonly string[]): Promise<void> =>
  eventually(async () => expect((await statuses()).filter((status) => !wanted.includes(status))).toEqual([]));

/** Adds due deliveries about one subject. With the subject null, each delivery is about another subject. */
async function addDue(subscriptionId: number, count: number, subjectId: number | null = 7): Promise<void> {
  await stage.database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, status, next_attempt_dt)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, $1, 1, 1, 'application', COALESCE($3, n), n, '{}',
       'due', now() - interval '1 second' FROM generate_series(1, $2::integer) n`,
    [subscriptionId, count, subjectId],
  );
}
const pick = async (): Promise<readonly number[]> => {
  const ids = (await pickDueDeliveries(stage.database, { hot: 1_000, slow: 1_000 })).map(({ id }) => id);
  return (await readDeliveries(stage.database)).filter(({ id }) => ids.includes(id)).map(({ sequence }) => sequence);
};
const set = (sequence: number, assignments: string): Promise<unknown> =>
  stage.database.query(`UPDATE notification_deliveries SET ${assignments} WHERE sequence = $1`, [sequence]);

describe('the ordering of an endpoint', () => {
  it.each([
    ['none', 'one subject', 4, 7],
    ['subject', 'one subject', 1, 7],
    ['subject', 'six subjects', 4, null],
    ['strict', 'six subjects', 1, null],
  ] as const)('%s: of six due deliveries about %s, %d are sent at once', async (ordering, _, expected, subject) => {
    await addDue(await subscribeWith({ ordering }), 6, subject);
    expect(await pick()).toHaveLength(expected);
  });

  it('strict: a message waits for the retries of the message before, and is sent after its last failure', async () => {
    await addDue(await subscribeWith({ ordering: 'strict' }), 4, null);
    expect(await pick()).toEqual([1]);
    await set(1, `status = 'due', attempts = 1, failures = 1, next_attempt_dt = now() + interval '1 hour'`);
    expect(await pick()).toEqual([]);
    await set(1, `next_attempt_dt = now() - interval '1 millisecond'`);
    expect([await pick(), await pick()]).toEqual([[1], []]);
    await set(1, `status = 'exhausted'`);
    expect(await pick()).toEqual([2]);
    await set(2, `status = 'cancelled'`);
    expect(await pick()).toEqual([3]);
    await set(3, `status = 'delivered'`);
    await set(1, `status = 'due', next_attempt_dt = now()`);
    expect(await pick()).toEqual([1]);
  });

  it('strict: no message is sent before the previous one was accepted, with two notifiers', async () => {
    await subscribeWith({ ordering: 'strict' });
    const accepted: number[] = [];
    const wrong: string[] = [];
    let running = 0;
    let requests = 0;
    receiver.respond = ({ headers }, response) => {
      const sequence = Number(headers['x-service-notify-sequence']);
      if (running > 0 || sequence !== accepted.length + 1) wrong.push(`${sequence} after ${accepted.length}`);
      running++;
      setTimeout(() => {
        running--;
        const isAccepted = ++requests % 3 !== 0;
        if (isAccepted) accepted.push(sequence);
        response.writeHead(isAccepted ? 204 : 500).end();
      }, Math.random() * 20);
    };
    const environment = { DELIVERY_SCHEDULE: [1, 1, 1, 1] };
    await Promise.all([stage.start(environment), stage.start(environment)]);
    await addEvents(6, 6);
    await eventually(async () => expect(await statuses()).toHaveLength(6));
    await whenAllAre('delivered');
    expect([wrong, accepted]).toEqual([[], [1, 2, 3, 4, 5, 6]]);
  }, 60_000);
});

describe('the throttle of an endpoint', () => {
  it('leaves further messages due until one window has passed since the end of an attempt', async () => {
    await addDue(await subscribeWith({ ordering: 'none', throttle: { limit: 2, per_s: 60 } }), 4);
    expect(await pick()).toEqual([1, 2]);
    expect(await pick()).toEqual([]);
    await set(1, `status = 'delivered'`);
    expect(await pick()).toEqual([]);
    expect((await readDeliveries(stage.database)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 0],
      ['queued', 0],
      ['due', 0],
      ['due', 0],
    ]);
    await stage.database.query(
      `UPDATE notification_throttle_uses SET ended_dt = ended_dt - interval '61 seconds' WHERE ended_dt IS NOT NULL`,
    );
    expect([await pick(), await pick()]).toEqual([[3], []]);
  });

  it('holds for all subscriptions of the endpoint together, and for no other endpoint', async () => {
    const [one, two, other] = [
      await subscribeWith({ throttle: { limit: 3, per_s: 60 } }),
      await subscribeWith({}),
      await subscribeWith({}),
    ];
    await stage.database.query(
      `UPDATE notification_subscriptions SET endpoint_id =
         (SELECT endpoint_id FROM notification_subscriptions WHERE id = $1) WHERE id = $2`,
      [one, two],
    );
    for (const id of [one, two, other]) await addDue(id, 4, null);
    await pick();
    const queued = (await readDeliveries(stage.database)).filter(({ status }) => status === 'queued');
    const count = (...ids: readonly number[]): number =>
      queued.filter((row) => ids.includes(row.subscription_id)).length;
    expect([count(one, two), count(other)]).toEqual([3, 4]);
  });

  it('is not exceeded in any window, with two notifiers and failures, and waiting costs no attempt', async () => {
    const throttle = { limit: 3, per_s: 1 };
    await subscribeWith({ ordering: 'none', throttle });
    const times: number[] = [];
    const respond: Respond = (_, response) => {
      times.push(performance.now());
      setTimeout(() => response.writeHead(times.length % 4 === 0 ? 500 : 204).end(), Math.random() * 100);
    };
    receiver.respond = respond;
    const environment = { DELIVERY_SCHEDULE: [1, 1, 1, 1] };
    await Promise.all([stage.start(environment), stage.start(environment)]);
    await addEvents(12, 12);
    await eventually(async () => expect(await statuses()).toHaveLength(12));
    await whenAllAre('delivered');
    // The receiver records the time of a request before it answers. So the attempt ends later than that time.
    const spans = times.slice(throttle.limit).map((time, index) => time - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(12);
    expect(Math.min(...spans)).toBeGreaterThan(throttle.per_s * 1_000);
    expect((await readDeliveries(stage.database)).reduce((sum, { attempts }) => sum + attempts, 0)).toBe(times.length);
  }, 60_000);
});
