// @group sample: npm test runs a quarter of its tests
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const URL = 'https://receiver.example.com/';
const patch = (url: string, body: object) => api.request('PATCH', `/api/v1${below(url)}`, { body });
const read = async (url: string): Promise<Item> => expectStatus(200, await api.get(below(url))).item;
const backlogOf = async (endpoint: Item): Promise<unknown> =>
  ((await read(endpoint.url))['health'] as { readonly backlog: number }).backlog;

let endpoint: Item;
let subscription: Item;

beforeEach(async () => {
  endpoint = await make.endpoint({ destination_url: null, topics: [{ type: 'POSTING_CREATE' }] });
  [subscription = endpoint] = endpoint['subscriptions'] as readonly Item[];
});

/** Adds a message of an event that is no longer stored. */
async function deliver(): Promise<Item> {
  const delivery = await make.delivery({ subscription, status: 'delivered' });
  await api.database.query('UPDATE notification_deliveries SET event_id = 1000000000 + id WHERE id = $1', [
    delivery.id,
  ]);
  return delivery;
}

describe('an endpoint without a destination', () => {
  test('shows null, also in its subscriptions', async () => {
    expect(endpoint['destination_url']).toBeNull();
    const shown = await read(subscription.url);
    expect(shown).toMatchObject({ destination_url: null, endpoint: { id: endpoint.id }, status: 'active' });
    const without = expectStatus(201, await api.post('/notification_endpoints', { name: 'Feed' })).item;
    expect(without['destination_url']).toBeNull();
  });

  test('gets a subscription by endpoint_id alone, and loses it to a destination of its own', async () => {
    const topic = await make.topic();
    const path = `/notification_topics/${topic.id}/subscriptions`;
    const joined = expectStatus(201, await api.post(path, { endpoint_id: endpoint.id })).item;
    expect(joined['destination_url']).toBeNull();
    const missing = await patch(joined.url, { endpoint_id: null });
    expect([missing.status, missing.violations]).toEqual([422, ['missing /destination_url']]);
    const left = expectStatus(200, await patch(joined.url, { endpoint_id: null, destination_url: URL })).item;
    expect(left['destination_url']).toBe(URL);
    expect((left['endpoint'] as Item).id).not.toBe(endpoint.id);
  });

  test('accepts a subscription that is sent back as it was read', async () => {
    const shown = await read(subscription.url);
    const body = { start_dt: shown['start_dt'], end_dt: null, destination_url: null, endpoint_id: endpoint.id };
    expect(expectStatus(200, await api.put(below(subscription.url), body)).item).toMatchObject({
      destination_url: null,
      endpoint: { id: endpoint.id },
    });
    expect(expectStatus(200, await patch(subscription.url, { end_dt: '2999-01-01T00:00:00Z' })).status).toBe(200);
  });

  test('counts the messages behind the greatest acknowledged position as its backlog', async () => {
    for (let n = 0; n < 3; n++) await deliver();
    expect(await backlogOf(endpoint)).toBe(3);
    const page = `${below(endpoint.url)}/messages?per_page=2`;
    expectStatus(200, await api.get(page));
    expect(await backlogOf(endpoint)).toBe(3);
    expectStatus(200, await api.get(`${page}&after=2`));
    expect(await backlogOf(endpoint)).toBe(1);
    expectStatus(200, await api.get(`${page}&after=1`));
    expect(await backlogOf(endpoint)).toBe(1);
    expectStatus(200, await api.get(`${page}&after=999`));
    expect(await backlogOf(endpoint)).toBe(0);
    await deliver();
    expect(await backlogOf(endpoint)).toBe(1);
  });

  test('acknowledges nothing for a client without the scopes of its topics', async () => {
    await deliver();
    const page = `${below(endpoint.url)}/messages`;
    expectStatus(200, await api.get(page));
    const narrow = await make.token('notifications:read');
    expectStatus(403, await api.get(`${page}?after=1`, { token: narrow }));
    expect(await backlogOf(endpoint)).toBe(1);
  });

  test('refuses settings and requests that would post a message', async () => {
    const delivery = await deliver();
    const requests = [
      `${below(endpoint.url)}/ping`,
      `${below(subscription.url)}/ping`,
      `${below(subscription.url)}/deliveries/${delivery.id}/redeliver`,
    ].map((path) => api.post(path));
    requests.push(api.post(`${below(subscription.url)}/redeliver`, { since_dt: '2020-01-01T00:00:00Z' }));
    for (const answer of await Promise.all(requests))
      expect([answer.status, answer.violations]).toEqual([422, ['missing /destination_url']]);
  });
});

describe('an endpoint that loses its destination', () => {
  test('becomes shared, and its feed delivers the pending messages', async () => {
    const own = await make.subscription();
    const ofOwn = await make.endpointOf(own);
    const pending = await Promise.all(
      [
        { status: 'due', next_attempt_dt: '2999-01-01T00:00:00Z' },
        { status: 'held' },
        { status: 'queued', queued_dt: '2026-01-01T00:00:00Z' },
      ].map((columns) => make.delivery({ subscription: own, ...columns })),
    );
    expect(expectStatus(200, await patch(ofOwn.url, { destination_url: null })).item).toMatchObject({
      destination_url: null,
      signing_key: ofOwn['signing_key'],
    });
    const statuses = await api.database.query<{ status: string }>(
      'SELECT DISTINCT status FROM notification_deliveries WHERE id = ANY($1)',
      [pending.map(({ id }) => id)],
    );
    expect(statuses).toEqual([{ status: 'delivered' }]);
    expectStatus(204, await api.delete(below(own.url)));
    expectStatus(200, await api.get(below(ofOwn.url)));
  });

  test('can get a destination again', async () => {
    expect(expectStatus(200, await patch(endpoint.url, { destination_url: URL })).item['destination_url']).toBe(URL);
    expect((await read(subscription.url))['destination_url']).toBe(URL);
  });
});
