import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDeliveries, addSubscription, type SubscriptionFixture } from '../../../test/notification-fixtures.js';
import { useTestDatabase } from '../../../test/test-database.js';
import { messageFeedStatement } from './message-feed.js';
import { ensurePingDay, insertPing } from '../subscriptions/ping.js';

const own = useTestDatabase();
let subscription: SubscriptionFixture;
/** Bodies that JSON.stringify would write differently. The feed must not change them. */
const BODIES = ['{"a":"é \\" \\\\ \\/ \\u00e9 😀"}', '{ "b" : 1 }', '{"c":"\u2028<>&"}'];

beforeAll(async () => {
  subscription = await addSubscription(own.database);
  await addDeliveries(
    own.database,
    subscription.id,
    BODIES.map((body, index) => ({ body, status: ['held', 'due', 'delivered'][index] })),
  );
});

interface Feed {
  readonly items: readonly {
    readonly sequence: number;
    readonly message_id: string;
    readonly timestamp: string;
    readonly body: string;
  }[];
  readonly has_more: boolean;
}
async function read(after: number, limit: number): Promise<Feed> {
  const [row] = await own.database.reading.query<{ body: string }>(
    messageFeedStatement({ subscriptionId: subscription.id, after, limit }),
  );
  return JSON.parse(row?.body ?? '') as Feed;
}

describe('the message feed', () => {
  it('returns the exact bodies in the order of their sequences, with any delivery status', async () => {
    const { items, has_more } = await read(0, 10);
    expect([items.map(({ sequence }) => sequence), items.map(({ body }) => body), has_more]).toEqual([
      [1, 2, 3],
      BODIES,
      false,
    ]);
    expect(items[0]).toEqual({
      sequence: 1,
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      body: BODIES[0],
    });
  });

  it('begins after the given sequence and reports whether more messages exist', async () => {
    const pages = [await read(0, 2), await read(2, 2), await read(3, 2), await read(0, 3)];
    expect(pages.map(({ items, has_more }) => [items.map(({ sequence }) => sequence), has_more])).toEqual([
      [[1, 2], true],
      [[3], false],
      [[], false],
      [[1, 2, 3], false],
    ]);
  });

  it('leaves out test messages', async () => {
    await ensurePingDay(own.database);
    await own.database.transaction((transaction) =>
      insertPing(transaction, subscription, { recruiterId: 1, baseUrl: 'https://ats.example.com' }),
    );
    expect((await read(0, 10)).items).toHaveLength(3);
  });
});

describe('a test message', () => {
  it('has the properties of a message, the id of its delivery, and is_test', async () => {
    await ensurePingDay(own.database);
    const id = await own.database.transaction((transaction) =>
      insertPing(transaction, subscription, { recruiterId: 3, baseUrl: 'https://ats.example.com' }),
    );
    const [row] = await own.database.query<Record<string, unknown>>(
      'SELECT * FROM notification_deliveries WHERE id = $1',
      [id],
    );
    expect(row).toMatchObject({
      event_id: null,
      subject_type: null,
      subject_id: null,
      sequence: 0,
      status: 'due',
      reason: 'ping',
      failures: 0,
    });
    const url = `https://ats.example.com/api/v1/notification_topics/${subscription.topicId}`;
    expect(JSON.parse(String(row?.['body']))).toEqual({
      message_id: row?.['message_id'],
      timestamp: (row?.['occurred_dt'] as Date | undefined)?.toISOString(),
      user: { id: '3', url: 'https://ats.example.com/api/v1/recruiters/3' },
      subscription: {
        id: subscription.id,
        url: `${url}/subscriptions/${subscription.id}`,
        uuid: expect.any(String),
        topic: { url, uuid: expect.any(String), id: subscription.topicId },
      },
      details: { id, url: `${url}/subscriptions/${subscription.id}/deliveries/${id}`, is_test: true },
    });
    expect(
      await own.database.query('SELECT last_sequence FROM notification_subscriptions WHERE id = $1', [subscription.id]),
    ).toEqual([{ last_sequence: 3 }]);
  });
});
