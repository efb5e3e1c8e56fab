import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let subscription: Item;
let deliveries: readonly Item[];

beforeAll(async () => {
  subscription = await make.subscription();
  const made: Item[] = [];
  for (const status of ['delivered', 'held', 'exhausted', 'delivered'])
    made.push(await make.delivery({ subscription, status }));
  deliveries = made;
  await make.ping(subscription);
});

interface Feed {
  readonly items: readonly { readonly sequence: number }[];
  readonly has_more: boolean;
}
const read = async (query = ''): Promise<Feed> =>
  expectStatus(200, await api.get(`${below(subscription.url)}/messages${query}`)).json as Feed;

describe('the feed of messages', () => {
  test('has every message with its signed body, and no test messages', async () => {
    expect(await read()).toEqual({
      items: deliveries.map(({ sequence, message_id, occurred_dt, body }) => ({
        sequence,
        message_id,
        timestamp: occurred_dt,
        body,
      })),
      has_more: false,
    });
  });

  test('continues after the sequence of the last message', async () => {
    const seen: number[] = [];
    for (let page = await read('?per_page=3'); ; page = await read(`?per_page=3&after=${seen.at(-1) ?? 0}`)) {
      seen.push(...page.items.map(({ sequence }) => sequence));
      if (!page.has_more) break;
    }
    expect([seen, await read('?after=4'), await read('?after=9007199254740991')]).toEqual([
      [1, 2, 3, 4],
      { items: [], has_more: false },
      { items: [], has_more: false },
    ]);
  });

  test.each([
    ['after=-1', ['invalid ?after']],
    ['after=', ['invalid ?after']],
    ['after=1.5', ['invalid ?after']],
    ['after=9007199254740993', ['invalid ?after']],
    ['after=%00', ['invalid ?after']],
    ['after=1&after=2', ['invalid ?after']],
    ['page=1', ['invalid ?page']],
    ['after=x&per_page=0&since=1', ['invalid ?after', 'invalid ?per_page', 'invalid ?since']],
  ])('rejects the query %s', async (query, violations) => {
    const answer = await api.get(`${below(subscription.url)}/messages?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('is found only under the URL of its own topic', async () => {
    expect(
      (await api.get(`/notification_topics/${(await make.topic()).id}/subscriptions/${subscription.id}/messages`))
        .status,
    ).toBe(404);
  });
});
