// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Batch, insertPing, type Ordering, replaceDeliveryModes, type Throttle } from '@ats/domain';
import { verify } from '@ats/webhook-signing';
import { eventually } from '../../test/eventually.js';
import { BASE_URL, readAttempts, readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { type ReceivedRequest, useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

interface Message {
  readonly message_id: string;
}
const messagesIn = ({ body }: ReceivedRequest): readonly Message[] => JSON.parse(body) as readonly Message[];
const sequencesIn = ({ headers }: ReceivedRequest): readonly number[] =>
  String(headers['x-service-notify-sequence']).split(',').map(Number);
const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(stage.database)).map((one) => one.status);
const whenDelivered = (count: number): Promise<void> =>
  eventually(async () => expect(await statuses()).toEqual(Array.from({ length: count }, () => 'delivered')), 60_000);

interface Modes {
  readonly batch: Batch;
  readonly ordering?: Ordering;
  readonly throttle?: Throttle | null;
}

/** Creates a subscription to the receiver. Its endpoint sends batches. */
async function subscribeBatch({ batch, ordering = 'subject', throttle = null }: Modes) {
  const made = await subscribe(stage.database, { url: receiver.url });
  const modes = { batch, ordering, throttle };
  await stage.database.transaction((transaction) =>
    replaceDeliveryModes(transaction, made.subscription.endpoint_id, modes, secretBox),
  );
  return made;
}

const addEvents = async (count: number, subjects = count): Promise<void> => {
  for (let n = 0; n < count; n++) await recordEvent(stage.database, { subjectId: 1 + (n % subjects) });
  await stage.wake();
};
/** Adds events before a notifier runs, so that their deliveries are all due at the same time. */
const startWith = async (count: number, subjects?: number, environment = {}): Promise<void> => {
  await addEvents(count, subjects);
  await stage.start(environment);
};

describe('an endpoint with a batch', () => {
  it('gets its messages as signed arrays of at most max, each message once and in order', async () => {
    const { signingKey } = await subscribeBatch({ batch: { max: 4, wait_ms: 1_000 }, ordering: 'strict' });
    await startWith(10, 3);
    await whenDelivered(10);
    expect(receiver.requests.flatMap(sequencesIn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const request of receiver.requests) {
      expect(messagesIn(request)).toHaveLength(sequencesIn(request).length);
      expect(messagesIn(request).length).toBeLessThanOrEqual(4);
      const { body, headers } = request as ReceivedRequest & { readonly headers: Readonly<Record<string, string>> };
      const received = { body, headers, keys: [signingKey], toleranceSeconds: 300, now: new Date() };
      expect(verify(received).keyIndex).toBe(0);
    }
    const ids = receiver.requests.flatMap((request) => messagesIn(request).map(({ message_id: id }) => id));
    expect(new Set(ids).size).toBe(10);
    expect(receiver.requests.length).toBeLessThan(10);
  });

  it('waits for further messages, and sends one message as an array', async () => {
    await subscribeBatch({ batch: { max: 100, wait_ms: 2_000 } });
    await stage.start();
    await addEvents(3);
    await whenDelivered(3);
    expect(receiver.requests.map(sequencesIn)).toEqual([[1, 2, 3]]);
    await addEvents(1);
    await whenDelivered(4);
    expect(receiver.requests.map(({ body }) => body.startsWith('[{'))).toEqual([true, true]);
  });

  it('sends the rejected part of a batch again, and counts one success', async () => {
    const { subscription } = await subscribeBatch({ batch: { max: 10, wait_ms: 500 } });
    let requests = 0;
    receiver.respond = (request, response) => {
      const failed =
        ++requests === 1
          ? messagesIn(request)
              .slice(1, 3)
              .map(({ message_id: id }) => id)
          : [];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ failed }));
    };
    await startWith(4, 4, { DELIVERY_SCHEDULE: [1, 1, 1] });
    await whenDelivered(4);
    expect(receiver.requests.map(sequencesIn)).toEqual([
      [1, 2, 3, 4],
      [2, 3],
    ]);
    const attempts = await readAttempts(stage.database);
    expect(attempts.map(({ error }) => error).sort()).toEqual([null, null, null, null, 'rejected', 'rejected']);
    const [row] = await stage.database.query(
      'SELECT consecutive_failures, first_failure_dt FROM notification_subscriptions WHERE id = $1',
      [subscription.id],
    );
    expect(row).toEqual({ consecutive_failures: 0, first_failure_dt: null });
  });

  it('repeats a batch as a whole after a failure, which counts once', async () => {
    const { subscription } = await subscribeBatch({ batch: { max: 10, wait_ms: 500 } });
    let requests = 0;
    receiver.respond = (_, response) => void response.writeHead(++requests === 1 ? 500 : 204).end();
    await startWith(6, 2, { DELIVERY_SCHEDULE: [2, 2, 2] });
    const failures = async (): Promise<unknown> =>
      (
        await stage.database.query<{ consecutive_failures: number }>(
          'SELECT consecutive_failures FROM notification_subscriptions WHERE id = $1',
          [subscription.id],
        )
      )[0]?.consecutive_failures;
    await eventually(async () => expect(await failures()).toBe(1));
    await whenDelivered(6);
    expect(receiver.requests.map(sequencesIn)).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
    ]);
    expect(await failures()).toBe(0);
  });

  it('counts a batch once for the throttle', async () => {
    await subscribeBatch({ batch: { max: 5, wait_ms: 500 }, throttle: { limit: 1, per_s: 1 } });
    const times: number[] = [];
    receiver.respond = (_, response) => {
      times.push(performance.now());
      response.writeHead(204).end();
    };
    await startWith(15);
    await whenDelivered(15);
    expect(receiver.requests.map((request) => sequencesIn(request).length)).toEqual([5, 5, 5]);
    const spans = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...spans)).toBeGreaterThan(1_000);
  });

  it('gets a test message as an array', async () => {
    const { topic, subscription } = await subscribeBatch({ batch: { max: 5, wait_ms: 5_000 } });
    await stage.start();
    await stage.database.transaction((transaction) =>
      insertPing(transaction, { topicId: topic.id, id: subscription.id }, { recruiterId: 1, baseUrl: BASE_URL }),
    );
    await stage.wake();
    await whenDelivered(1);
    expect(receiver.requests.map((request) => [messagesIn(request).length, sequencesIn(request)])).toEqual([[1, [0]]]);
  });
});
