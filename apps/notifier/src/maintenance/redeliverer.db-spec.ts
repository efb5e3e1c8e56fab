// @group sample: npm test runs a quarter of its tests
import { createRedelivery, disableSubscription, ensurePingDay, insertPing, redeliver } from '@ats/domain';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verify } from '@ats/webhook-signing';
import { eventually } from '../../test/eventually.js';
import {
  BASE_URL,
  BY_NOTIFIER,
  readAttempts,
  readDeliveries,
  recordEvent,
  subscribe,
  type SubscribedTopic,
} from '../../test/fixtures.js';
import { type ReceivedRequest, useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();
let subscribed: SubscribedTopic;

beforeAll(async () => {
  await stage.start();
});
beforeEach(async () => {
  subscribed = await subscribe(stage.database, { url: receiver.url });
});
afterEach(() => stage.reset());

const key = () => ({ topicId: subscribed.topic.id, id: subscribed.subscription.id });
const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(stage.database)).map(({ status }) => status);
const whenStatuses = (...expected: readonly string[]): Promise<void> =>
  eventually(async () => expect(await statuses()).toEqual(expected));
async function deliverEvents(count: number): Promise<void> {
  for (let subjectId = 1; subjectId <= count; subjectId++) await recordEvent(stage.database, { subjectId });
  await stage.wake();
  await whenStatuses(...Array<string>(count).fill('delivered'));
}
const again = (id: number): Promise<void> =>
  stage.database.transaction((transaction) => redeliver(transaction, key(), id));
const reasons = async (): Promise<readonly string[]> =>
  (await stage.database.query<{ reason: string }>('SELECT reason FROM notification_attempts ORDER BY id')).map(
    ({ reason }) => reason,
  );
/** Returns the parts of a message that must be the same in each attempt. */
const messageOf = ({ body, headers }: ReceivedRequest): object => ({
  body,
  id: headers['webhook-id'],
  sequence: headers['x-service-notify-sequence'],
});
/** Verifies the signature of a request. Throws for an invalid signature. */
const check = ({ body, headers }: ReceivedRequest, key: string): object =>
  verify({ body, headers, keys: [key], toleranceSeconds: 600, now: new Date() });

describe('the redelivery of one delivery', () => {
  it('has the same bytes, id and sequence, and a new signature', async () => {
    await deliverEvents(1);
    const [delivery] = await readDeliveries(stage.database);
    await again(delivery?.id ?? 0);
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    await whenStatuses('delivered');
    const [first, second] = receiver.requests as [ReceivedRequest, ReceivedRequest];
    expect(messageOf(second)).toEqual(messageOf(first));
    expect([first, second].map(({ headers }) => headers['x-service-notify-attempt'])).toEqual(['1', '2']);
    for (const request of [first, second]) check(request, subscribed.signingKey);
    expect(await reasons()).toEqual(['auto', 'manual']);
  });

  it('starts no second attempt while one is running', async () => {
    let answer: (() => void) | undefined;
    receiver.respond = (_, response) => void (answer = () => void response.writeHead(500).end());
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    const [delivery] = await readDeliveries(stage.database);
    await again(delivery?.id ?? 0);
    expect(await statuses()).toEqual(['sending']);
    answer?.();
    await whenStatuses('due');
    expect(receiver.requests).toHaveLength(1);
    receiver.respond = (_, response) => void response.writeHead(204).end();
    await again(delivery?.id ?? 0);
    await whenStatuses('delivered');
    expect([receiver.requests.length, await reasons()]).toEqual([2, ['auto', 'manual']]);
  });
});

describe('the redelivery since a time', () => {
  it('sends each message once more without changes, and is then done', async () => {
    await deliverEvents(5);
    const before = receiver.requests.map(messageOf);
    const since = new Date(Date.now() - 3_600_000);
    const id = await stage.database.transaction((transaction) =>
      createRedelivery(transaction, key(), { sinceDt: since, untilDt: null, status: null }),
    );
    await eventually(() => expect(receiver.requests).toHaveLength(10));
    await whenStatuses(...Array<string>(5).fill('delivered'));
    expect(receiver.requests.slice(5).map(messageOf)).toEqual(expect.arrayContaining(before));
    expect((await reasons()).slice(5)).toEqual(Array(5).fill('recover'));
    await eventually(async () => {
      expect(
        await stage.database.query(
          'SELECT status, total, redelivered, skipped FROM notification_redeliveries WHERE id = $1',
          [id],
        ),
      ).toEqual([{ status: 'done', total: 5, redelivered: 5, skipped: 0 }]);
    });
    expect(receiver.requests).toHaveLength(10);
  });
});

describe('a test message', () => {
  it.each([['enabled'], ['disabled']])(
    'is sent once while the subscription is %s, with the stored bytes',
    async (state) => {
      if (state === 'disabled')
        await stage.database.transaction((transaction) =>
          disableSubscription(transaction, subscribed.subscription.id, 'requested', BY_NOTIFIER),
        );
      const counters = () =>
        stage.database.query(
          `SELECT consecutive_failures, first_failure_dt, last_success_dt, last_sequence, disabled_reason
             FROM notification_subscriptions`,
        );
      const before = await counters();
      await ensurePingDay(stage.database);
      await stage.database.transaction((transaction) =>
        insertPing(transaction, key(), { recruiterId: 3, baseUrl: BASE_URL }),
      );
      await whenStatuses('delivered');
      const [delivery] = await readDeliveries(stage.database);
      const [request] = receiver.requests as [ReceivedRequest];
      expect([request.body, request.headers['x-service-notify-sequence'], request.message['message_id']]).toEqual([
        delivery?.body,
        '0',
        request.headers['webhook-id'],
      ]);
      check(request, subscribed.signingKey);

      receiver.respond = (_, response) => void response.writeHead(500).end('no');
      await stage.database.transaction((transaction) =>
        insertPing(transaction, key(), { recruiterId: 3, baseUrl: BASE_URL }),
      );
      await whenStatuses('delivered', 'exhausted');
      expect([
        await reasons(),
        (await readAttempts(stage.database)).map(({ status_code, error }) => [status_code, error]),
      ]).toEqual([
        ['ping', 'ping'],
        [
          [204, null],
          [500, 'status'],
        ],
      ]);
      expect(await counters()).toEqual(before);
    },
  );
});
