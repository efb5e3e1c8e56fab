import { beforeEach, describe, expect, it } from '@jest/globals';
import { addDeliveries, addSubscription } from '../../../test/notification-fixtures.js';
import { useTestDatabase } from '../../../test/test-database.js';
import { deleteOldPositions, type EndpointFeedPage, feedStates, readEndpointFeed } from './endpoint-feed.js';

const own = useTestDatabase();
let endpointId: number;
let subscriptionIds: number[];

/** Creates an endpoint with two subscriptions. */
beforeEach(async () => {
  subscriptionIds = [(await addSubscription(own.database)).id, (await addSubscription(own.database)).id];
  const [row] = await own.database.query<{ id: number }>(
    `INSERT INTO notification_endpoints (name, destination_url) VALUES ('e', 'https://receiver.example.com/') RETURNING id`,
  );
  endpointId = row?.id ?? 0;
  await own.database.query('UPDATE notification_subscriptions SET endpoint_id = $1 WHERE id = ANY($2)', [
    endpointId,
    subscriptionIds,
  ]);
});

const add = (subscription: 0 | 1, body: string, more: object = {}): Promise<readonly number[]> =>
  addDeliveries(own.database, subscriptionIds[subscription] ?? 0, [{ body, status: 'delivered', ...more }]);
const read = (after: number, limit = 100): Promise<EndpointFeedPage> =>
  readEndpointFeed(own.database, { endpointId, after, limit, subscriptionIds });
const bodies = ({ messages }: EndpointFeedPage): readonly string[] => messages.map(({ body }) => body);

describe('the feed of an endpoint', () => {
  it('has the messages of all its subscriptions, with positions from 1 without gaps', async () => {
    await add(0, '{"a":1}');
    await add(1, '{"b":1}', { status: 'held' });
    await add(0, '{"a":2}', { status: 'exhausted' });
    const { messages, hasMore } = await read(0);
    expect(
      messages.map(({ position, subscription_id, sequence, body }) => [position, subscription_id, sequence, body]),
    ).toEqual([
      [1, subscriptionIds[0], 1, '{"a":1}'],
      [2, subscriptionIds[1], 1, '{"b":1}'],
      [3, subscriptionIds[0], 2, '{"a":2}'],
    ]);
    expect([hasMore, messages[0]?.type, messages[0]?.timestamp]).toEqual([
      false,
      'POSTING_CREATE',
      expect.stringMatching(/Z$/),
    ]);
    expect(await read(3)).toEqual({ messages: [], hasMore: false });
  });

  it('continues after a position, page by page', async () => {
    for (let n = 1; n <= 5; n++) await add(n % 2 === 0 ? 0 : 1, `{"n":${n}}`);
    const first = await read(0, 2);
    const second = await read(2, 2);
    const third = await read(4, 2);
    expect([first, second, third].map((page) => [bodies(page), page.hasMore])).toEqual([
      [['{"n":1}', '{"n":2}'], true],
      [['{"n":3}', '{"n":4}'], true],
      [['{"n":5}'], false],
    ]);
  });

  it('shows only the given subscriptions', async () => {
    await add(0, '{"a":1}');
    await add(1, '{"b":1}');
    const page = await readEndpointFeed(own.database, {
      endpointId,
      after: 0,
      limit: 10,
      subscriptionIds: subscriptionIds.slice(1),
    });
    expect(bodies(page)).toEqual(['{"b":1}']);
  });

  it('reports whether it has messages without a position, and the last position', async () => {
    const state = async () => (await feedStates(own.database, [endpointId])).get(endpointId);
    expect(await state()).toEqual({ last: 0, isBehind: false });
    await add(0, '{"a":1}');
    expect(await state()).toEqual({ last: 0, isBehind: true });
    await read(0);
    expect(await state()).toEqual({ last: 1, isBehind: false });
  });

  it('never gives a message a position that a reader has passed, whatever the order of the commits', async () => {
    const seen: string[] = [];
    const positions: number[] = [];
    let isWriting = true;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < 15; n++)
        await own.database.transaction(async (transaction) => {
          const subscription = subscriptionIds[(writer + n) % 2] ?? 0;
          await transaction.query(
            `WITH s AS (UPDATE notification_subscriptions SET last_sequence = last_sequence + 1 WHERE id = $1 RETURNING *)
             INSERT INTO notification_deliveries (event_id, subscription_id, topic_id, topic_revision, subject_type,
               subject_id, message_id, sequence, body, status, occurred_dt)
             SELECT last_sequence, id, topic_id, 1, 'posting', 7, gen_random_uuid(), last_sequence, $2, 'delivered', now()
             FROM s`,
            [subscription, JSON.stringify({ writer, n })],
          );
          // During the pause, transactions with a higher id can commit first.
          await transaction.query('SELECT pg_sleep($1)', [Math.random() / 50]);
        });
    };
    const follow = async (): Promise<void> => {
      for (let after = 0; ; ) {
        const wasWriting = isWriting;
        const { messages } = await read(after, 7);
        seen.push(...messages.map(({ body }) => body));
        positions.push(...messages.map(({ position }) => position));
        after = messages.at(-1)?.position ?? after;
        if (!wasWriting && messages.length === 0) return;
      }
    };
    const publishers = Array.from({ length: 2 }, async () => {
      while (isWriting) await read(1_000_000);
    });
    const following = follow();
    await Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)));
    isWriting = false;
    await Promise.all([following, ...publishers]);
    expect(positions).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(new Set(seen).size).toBe(60);
  });

  it('deletes positions when their deliveries are no longer stored', async () => {
    await add(0, '{"a":1}');
    await add(0, '{"a":2}');
    await read(0);
    await own.database.query(
      `UPDATE notification_endpoint_messages SET occurred_dt = occurred_dt - interval '40 days'
       WHERE position = 1 AND endpoint_id = $1`,
      [endpointId],
    );
    expect([await deleteOldPositions(own.database, 30, 10), await deleteOldPositions(own.database, 30, 10)]).toEqual([
      1, 0,
    ]);
    expect(bodies(await read(0))).toEqual(['{"a":2}']);
  });

  it('continues when messages were deleted before a client read them', async () => {
    await add(0, '{"a":1}');
    await own.database.query('DELETE FROM notification_deliveries WHERE subscription_id = $1', [subscriptionIds[0]]);
    expect(await read(0)).toEqual({ messages: [], hasMore: false });
    expect((await feedStates(own.database, [endpointId])).get(endpointId)?.isBehind).toBe(false);
  });
});
