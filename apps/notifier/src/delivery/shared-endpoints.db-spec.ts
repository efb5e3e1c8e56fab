// @group split: npm test runs two of the random sequences
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  joinEndpoint,
  leaveEndpoint,
  openSigningKeys,
  readKeysOf,
  rotateEndpointKey,
  rotateSigningKey,
  shareEndpoint,
  type SigningKeys,
} from '@ats/domain';
import { verify, verifyStandardWebhook } from '@ats/webhook-signing';
import fc from 'fast-check';
import { TestAttempts } from '../../test/attempts.js';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { addQueued, claimOne } from '../../test/queued.js';
import { type ReceivedRequest, useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { pickDueDeliveries } from './store/due-deliveries.js';

const stage = useStage();
const receiver = useReceiver();
const attempts = new TestAttempts(stage);

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

interface Subscribed {
  readonly topicId: number;
  readonly id: number;
}

const addSubscriptions = async (count: number, url = receiver.url): Promise<Subscribed[]> => {
  const made: Subscribed[] = [];
  for (let index = 0; index < count; index++) {
    const { topic, subscription } = await subscribe(stage.database, { url: `${url}?n=${index}` });
    made.push({ topicId: topic.id, id: subscription.id });
  }
  return made;
};

async function endpointOf({ id }: Subscribed): Promise<number> {
  const [row] = await stage.database.query<{ endpointId: number }>(
    'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1',
    [id],
  );
  if (!row) throw new Error('the test found no row of its subscription');
  return row.endpointId;
}

const keysOf = ({ id }: Subscribed): Promise<SigningKeys> =>
  stage.database.transaction((transaction) => readKeysOf(transaction, { type: 'subscription', id: id }, secretBox));

const overlap = (overlapSeconds: number) => ({ overlapSeconds, secretBox });

/** Maps the name of a change to its code. A change concerns the subscription `one`, or the endpoint `other`. */
const CHANGES: Readonly<Record<string, (one: Subscribed, other: number, seconds: number) => Promise<unknown>>> = {
  share: async (one) => {
    const id = await endpointOf(one);
    await stage.database.transaction((transaction) => shareEndpoint(transaction, id, secretBox));
  },
  join: ({ id }, other) => stage.database.transaction((transaction) => joinEndpoint(transaction, id, other, secretBox)),
  leave: ({ id }) => stage.database.transaction((transaction) => leaveEndpoint(transaction, id, secretBox)),
  rotate: (one, _, seconds) =>
    stage.database.transaction((transaction) => rotateSigningKey(transaction, one, overlap(seconds))),
  rotateEndpoint: async (_, other, seconds) =>
    stage.database.transaction((transaction) => rotateEndpointKey(transaction, other, overlap(seconds))),
};

const step = fc.record({
  change: fc.constantFrom(...Object.keys(CHANGES)),
  one: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  seconds: fc.constantFrom(0, 600),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(made: readonly Subscribed[], { change, one, other, seconds }: Step): Promise<void> {
  const [first, second] = [made[one], made[other]];
  if (!first || !second) throw new Error('the test found no row of its subscription');
  await CHANGES[change]?.(first, await endpointOf(second), seconds);
}

/** Expects that the two signatures of a message verify with these keys. */
function expectSigned({ body, headers }: ReceivedRequest, keys: readonly string[]): void {
  const given = { body, headers, keys, toleranceSeconds: 600, now: new Date() };
  verify(given);
  verifyStandardWebhook(given);
}

const subscriptionOf = ({ message }: ReceivedRequest): number =>
  (message['subscription'] as { readonly id: number }).id;

describe('a shared endpoint', () => {
  it('gets the messages of all its subscriptions, signed with the key that they show', async () => {
    const made = await addSubscriptions(3);
    const [first] = made;
    if (!first) throw new Error('there is no subscription');
    const shared = await endpointOf(first);
    for (const { id } of made.slice(1)) await CHANGES['join']?.({ topicId: 0, id }, shared, 0);
    await CHANGES['rotate']?.(first, 0, 600);
    await stage.start();
    for (let event = 0; event < 5; event++) await recordEvent(stage.database, { subjectId: event });
    await stage.wake();
    await eventually(async () => {
      const statuses = (await readDeliveries(stage.database)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 15 }, () => 'delivered'));
    });
    const { current, next } = await keysOf(first);
    for (const request of receiver.requests) {
      expect(request.path).toBe('/hook?n=0');
      expectSigned(request, [current]);
      const { body, headers } = request;
      const header = headers['x-service-notify-signature-next'];
      verify({
        body,
        headers: { 'x-service-notify-signature': header },
        keys: [next?.key ?? ''],
        toleranceSeconds: 600,
        now: new Date(),
      });
    }
    expect(new Set(receiver.requests.map(subscriptionOf)).size).toBe(3);
    expect(new Set(receiver.requests.map(({ message }) => message['message_id'])).size).toBe(15);
  });

  it('loses no message, and signs each with a shown key, while subscriptions move and keys are rotated', async () => {
    const made = await addSubscriptions(3);
    const shown = new Map<number, Set<string>>(made.map(({ id }) => [id, new Set()]));
    const note = async (): Promise<void> => {
      for (const one of made) {
        const { current, next } = await keysOf(one);
        shown.get(one.id)?.add(current);
        if (next) shown.get(one.id)?.add(next.key);
      }
    };
    await note();
    await stage.start();
    const steps = fc.sample(step, { numRuns: 25, seed: 19 });
    for (const [index, one] of steps.entries()) {
      await recordEvent(stage.database, { subjectId: index });
      await stage.wake();
      await run(made, one);
      await note();
    }
    await eventually(async () => {
      const statuses = (await readDeliveries(stage.database)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 3 * steps.length }, () => 'delivered'));
    });
    for (const request of receiver.requests) expectSigned(request, [...(shown.get(subscriptionOf(request)) ?? [])]);
    expect(new Set(receiver.requests.map(({ message }) => message['message_id'])).size).toBe(3 * steps.length);
  });
});

it('a claimed delivery has the keys that its subscription shows, after any changes of endpoints and keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const made = await addSubscriptions(3, 'https://receiver.example.com/');
      for (const one of steps) {
        await run(made, one);
        for (const subscribed of made) {
          const delivery = await claimOne(stage.database, await addQueued(stage.database, subscribed.id));
          if (!delivery) throw new Error('the queued delivery could not be claimed');
          const keys = openSigningKeys(delivery.secrets.keys, { secretBox, now: delivery.claimed_dt });
          expect(keys).toEqual(await keysOf(subscribed));
          expect(delivery.endpoint_id).toBe(await endpointOf(subscribed));
        }
      }
      await stage.reset();
    }),
    { numRuns: process.env['TEST_ALL'] === '1' ? 40 : 2, seed: 7 },
  );
}, 600_000);

describe('a subscription of a shared endpoint', () => {
  const limits = (): Promise<object[]> =>
    stage.database.query(
      'SELECT in_flight_limit AS "limit", is_recovering AS recovering FROM notification_subscriptions',
    );
  const shareLast = (): Promise<unknown> | undefined =>
    CHANGES['share']?.({ topicId: attempts.topicId, id: attempts.subscriptionId }, 0, 0);

  it('has at most 4 concurrent deliveries, like any other subscription', async () => {
    const [one] = await addSubscriptions(1);
    if (!one) throw new Error('there is no subscription');
    await CHANGES['share']?.(one, 0, 0);
    await stage.database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
         topic_revision, subject_type, subject_id, sequence, body, status, next_attempt_dt)
       SELECT now(), gen_random_uuid(), n, $1, 1, 1, 'application', n, n, '{}', 'due', now() - interval '1 second'
       FROM generate_series(1, 10) n`,
      [one.id],
    );
    expect(await pickDueDeliveries(stage.database, { hot: 100, slow: 100 })).toHaveLength(4);
    expect(await pickDueDeliveries(stage.database, { hot: 100, slow: 100 })).toEqual([]);
  });

  it('reaches its concurrency limit again after an overload and after five failures, one by one', async () => {
    await attempts.finish(await attempts.sending(503));
    await shareLast();
    for (let count = 0; count < 4; count++) await attempts.finish(await attempts.another(500));
    const seen: object[] = [...(await limits())];
    await attempts.finish(await attempts.another(204));
    seen.push(...(await limits()));
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 20; count++) await attempts.finish(await attempts.another(204));
      seen.push(...(await limits()));
    }
    expect(seen).toEqual([2, 1, 2, 3, 4, 4].map((limit) => ({ limit, recovering: false })));
  });
});
