// @group sample: npm test runs a quarter of its tests
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { EventReader } from '../support/event-reader.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let origin: string;
let endpoint: Item;
let subscriptions: readonly Item[];

beforeAll(async () => {
  origin = `http://127.0.0.1:${await api.listen()}`;
});
beforeEach(async () => {
  endpoint = await make.endpoint({ topics: [{ type: 'POSTING_CREATE' }, { type: 'STATE_CHANGE_APPLICATION' }] });
  subscriptions = endpoint['subscriptions'] as readonly Item[];
});

interface Feed {
  readonly items: readonly { readonly position: number; readonly sequence: number; readonly body: string }[];
  readonly next: number;
  readonly has_more: boolean;
}
/** Adds a message of an event that is no longer stored. */
async function deliver(index: 0 | 1, body = '{}'): Promise<Item> {
  const subscription = subscriptions[index];
  if (!subscription) throw new Error('the endpoint has two subscriptions');
  const delivery = await make.delivery({ subscription, body });
  await api.database.query('UPDATE notification_deliveries SET event_id = 1000000000 + id WHERE id = $1', [
    delivery.id,
  ]);
  return delivery;
}
const get = (query: string, token?: string): Promise<Answer> =>
  api.get(`${below(endpoint.url)}/messages${query}`, { ...(token && { token }) });
const read = async (query = ''): Promise<Feed> => expectStatus(200, await get(query)).json as Feed;
const open = (query = '', token = api.adminToken, headers = {}): Promise<EventReader<{ readonly n: number }>> =>
  EventReader.open(`${origin}/api/v1${below(endpoint.url)}/stream${query}`, { token, headers });

describe('the messages of an endpoint', () => {
  test('are those of all its subscriptions, with their exact bodies', async () => {
    const [one, two] = [await deliver(0, '{"a": "é"}'), await deliver(1, '{"b":1}')];
    expect(await read()).toEqual({
      items: [one, two].map(({ sequence, message_id, occurred_dt, body }, index) => ({
        position: index + 1,
        subscription_id: subscriptions[index]?.id,
        type: index === 0 ? 'POSTING_CREATE' : 'STATE_CHANGE_APPLICATION',
        sequence,
        message_id,
        timestamp: occurred_dt,
        body,
      })),
      next: 2,
      has_more: false,
    });
  });

  test('are each sent once to a client that follows next', async () => {
    for (const index of [0, 1, 1, 0, 1] as const) await deliver(index);
    const seen: number[] = [];
    for (let page = await read('?per_page=2'); ; page = await read(`?per_page=2&after=${page.next}`)) {
      seen.push(...page.items.map(({ position }) => position));
      if (!page.has_more) break;
    }
    expect([seen, await read('?after=5')]).toEqual([[1, 2, 3, 4, 5], { items: [], next: 5, has_more: false }]);
  });

  test('leave out those of a subscription that has left the endpoint', async () => {
    await deliver(0);
    await deliver(1);
    await read();
    expectStatus(204, await api.delete(below(String(subscriptions[0]?.url))));
    expect((await read()).items.map(({ position }) => position)).toEqual([2]);
  });

  test('can be waited for', async () => {
    const waiting = read('?wait=60');
    await api.get('/me');
    await deliver(0, '{"n":1}');
    expect((await waiting).items.map(({ body }) => body)).toEqual(['{"n":1}']);
    expect(await read('?wait=1&after=1')).toEqual({ items: [], next: 1, has_more: false });
  });

  test('get 401 for a client whose credential was revoked while it waited', async () => {
    const { id, token } = await make.credential({
      scopes: ['notifications:read', 'postings:read', 'applications:read'],
    });
    const waiting = get('?wait=60', String(token));
    expectStatus(204, await api.delete(`/credentials/${String(id)}`));
    await deliver(0);
    expect((await waiting).status).toBe(401);
  });

  test('need the scopes of the subjects of all topics', async () => {
    const narrow = await make.token('notifications:read', 'postings:read');
    const wide = await make.token('notifications:read', 'postings:read', 'applications:read');
    expectStatus(403, await get('', narrow));
    expectStatus(200, await get('', wide));
    expectStatus(403, await get('', await make.token('postings:read', 'applications:read')));
  });

  test.each([
    ['after=-1', ['invalid ?after']],
    ['after=x&per_page=0&wait=61&since=1', ['invalid ?after', 'invalid ?per_page', 'invalid ?since', 'invalid ?wait']],
    ['wait=-1', ['invalid ?wait']],
    ['wait=1&wait=2', ['invalid ?wait']],
  ])('refuse the query %s', async (query, violations) => {
    const answer = await get(`?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('get 404 for an endpoint that does not exist', async () => {
    expect((await api.get('/notification_endpoints/999999999/messages')).status).toBe(404);
    expect((await api.get('/notification_endpoints/999999999/stream')).status).toBe(404);
  });
});

describe('a stream of messages', () => {
  test('sends each message as data, its type as event and its position as id', async () => {
    await deliver(0, '{"n":1}');
    const stream = await open();
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await stream.withData()).toEqual({ id: '1', event: 'POSTING_CREATE', data: { n: 1 } });
    await deliver(1, '{"n":2}');
    expect(await stream.withData()).toEqual({ id: '2', event: 'STATE_CHANGE_APPLICATION', data: { n: 2 } });
    stream.close();
  });

  test('continues after Last-Event-ID, which replaces the parameter after', async () => {
    for (let n = 1; n <= 3; n++) await deliver(0, `{"n":${n}}`);
    const stream = await open('?after=0', api.adminToken, { 'last-event-id': '2' });
    expect((await stream.withData())?.data).toEqual({ n: 3 });
    stream.close();
    const refused = await open('', api.adminToken, { 'last-event-id': 'x' });
    expect([refused.status, refused.contentType]).toEqual([400, 'application/json; charset=utf-8']);
    refused.close();
  });

  test('ends when the credential is revoked', async () => {
    const { id, token } = await make.credential({
      scopes: ['notifications:read', 'postings:read', 'applications:read'],
    });
    const stream = await open('', String(token));
    expectStatus(204, await api.delete(`/credentials/${String(id)}`));
    await deliver(0);
    expect(await stream.withData()).toBeUndefined();
  });

  test('ends when a topic joins that the credential may not read', async () => {
    const token = await make.token('notifications:read', 'postings:read', 'applications:read');
    const stream = await open('', token);
    const topic = await make.topic({ type: 'CANDIDATE_CREATE' });
    const joined = await make.subscription({ topicId: topic.id, endpoint_id: endpoint.id, destination_url: undefined });
    await make.delivery({ subscription: joined });
    expect(await stream.withData()).toBeUndefined();
    expect((await open('', token)).status).toBe(403);
  });

  test('is a page of messages for a client that asks for JSON', async () => {
    await deliver(0, '{"n":1}');
    const { json } = expectStatus(
      200,
      await api.get(`${below(endpoint.url)}/stream`, { headers: { accept: 'application/json' } }),
    );
    expect(json).toEqual(await read());
  });
});
