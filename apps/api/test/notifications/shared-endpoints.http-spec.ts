import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const SCOPES = ['notifications:read', 'notifications:write'];
const SHARED = 'https://shared.example.com/';
const OWN = 'https://own.example.com/';
const KEY = expect.stringMatching(/^[0-9a-f]{64}$/);

let topic: Item;
/** The token of the credential that owns the endpoints and the subscriptions of these tests. */
let token: string;
let recruiter: Item;

beforeAll(async () => {
  topic = await make.topic();
  recruiter = await make.recruiter();
  ({ token } = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id }));
});

const send = (method: 'PUT' | 'PATCH', { url }: Item, body: object, as = token): Promise<Answer> =>
  api.request(method, `/api/v1${below(url)}`, { body, token: as });
const read = async ({ url }: Item, as = token): Promise<Item> => (await api.get(below(url), { token: as })).item;
const endpoint = async (as = token): Promise<Item> =>
  expectStatus(201, await api.post('/notification_endpoints', { name: 'E', destination_url: SHARED }, { token: as }))
    .item;
const subscribe = (body: object, as = token): Promise<Answer> =>
  api.post(`${below(topic.url)}/subscriptions`, body, { token: as });
const subscription = async (body: object): Promise<Item> => expectStatus(201, await subscribe(body)).item;
const count = async (table: string, where: string): Promise<number> =>
  (await api.database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table} WHERE ${where}`))[0]?.n ?? -1;

describe('a subscription with endpoint_id', () => {
  test('has the destination and the key of the endpoint, which lists it', async () => {
    const shared = await endpoint();
    const both = [
      await subscription({ endpoint_id: shared.id }),
      await subscription({ endpoint_id: shared.id, destination_url: SHARED }),
    ];
    for (const item of both) {
      expect(item).toMatchObject({
        destination_url: SHARED,
        endpoint: { id: shared.id, url: shared.url },
        signing_key: shared['signing_key'],
      });
      expect(await count('notification_subscription_keys', `subscription_id = ${item.id}`)).toBe(0);
      expect(await count('notification_endpoints', `own_subscription_id = ${item.id}`)).toBe(0);
    }
    const { subscriptions, subscription_count } = await read(shared);
    expect([subscription_count, (subscriptions as readonly Item[]).map(({ id }) => id)]).toEqual([
      2,
      both.map(({ id }) => id),
    ]);
    const moved = expectStatus(200, await send('PATCH', shared, { destination_url: OWN }));
    expect(moved.item).toMatchObject({ destination_url: OWN });
    for (const item of both) expect(await read(item)).toMatchObject({ destination_url: OWN });
    expect((await api.delete(below(shared.url), { token })).violations).toEqual(['in_use ']);
    for (const item of both) expectStatus(204, await api.delete(below(item.url), { token }));
    expectStatus(204, await api.delete(below(shared.url), { token }));
  });

  test('is refused without an endpoint, with an unknown one and with another destination', async () => {
    const { id: endpoint_id } = await endpoint();
    const own = await subscription({ destination_url: OWN });
    for (const [body, violation] of [
      [{}, 'missing /destination_url'],
      [{ endpoint_id: null }, 'missing /destination_url'],
      [{ endpoint_id: 999_999_999 }, 'invalid /endpoint_id'],
      [{ endpoint_id: 'x' }, 'invalid /endpoint_id'],
      [{ endpoint_id, destination_url: 'https://third.example.com/' }, 'invalid /destination_url'],
    ] as const) {
      expect([body, (await subscribe(body)).violations]).toEqual([body, [violation]]);
      if (Object.keys(body).length > 0 && body.endpoint_id !== null)
        expect([body, (await send('PUT', own, body)).violations]).toEqual([body, [violation]]);
    }
    expect(await read(own)).toEqual(own);
  });

  test('needs a credential of the owner of the endpoint, or an admin', async () => {
    const shared = await endpoint();
    const foreign = expectStatus(201, await subscribe({ destination_url: OWN })).item;
    const { id: ownEndpoint } = foreign['endpoint'] as Item;
    const colleague = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
    const stranger = await make.token(...SCOPES);
    const admin = await make.token(...SCOPES, 'notifications:admin');
    expectStatus(403, await subscribe({ endpoint_id: shared.id }, stranger));
    expectStatus(403, await subscribe({ endpoint_id: ownEndpoint }, colleague.token));
    expectStatus(201, await subscribe({ endpoint_id: shared.id }, admin));
    const { item } = expectStatus(201, await subscribe({ endpoint_id: shared.id }, colleague.token));
    // Only the credential that created the endpoint may read the key.
    expect(item).toMatchObject({ signing_key: null, standard_webhooks_secret: null });
    const rotated = await api.post(`${below(item.url)}/rotate_key`, { overlap_s: 60 }, { token: colleague.token });
    expect(expectStatus(200, rotated).item).toMatchObject({ signing_key: null, next_signing_key: KEY });
    expect(await read(shared)).toMatchObject({ signing_key: shared['signing_key'], next_signing_key: KEY });
  });

  test('makes the own endpoint of another subscription shared, with the same key and reader', async () => {
    const first = await subscription({ destination_url: OWN });
    const { id: endpoint_id } = first['endpoint'] as Item;
    const second = await subscription({ endpoint_id });
    for (const item of [first, second])
      expect(await read(item)).toMatchObject({
        endpoint: { id: endpoint_id },
        destination_url: OWN,
        signing_key: first['signing_key'],
      });
    expectStatus(204, await api.delete(below(first.url), { token }));
    expect(await read(second)).toMatchObject({ endpoint: { id: endpoint_id }, signing_key: first['signing_key'] });
  });
});

describe('a change of a subscription', () => {
  test('moves the subscription to a shared endpoint, by PATCH and by PUT, and back with a new key', async () => {
    const shared = await endpoint();
    for (const change of [
      (item: Item) => send('PATCH', item, { endpoint_id: shared.id }),
      (item: Item) => send('PUT', item, { endpoint_id: shared.id }),
      (item: Item) => send('PUT', item, { ...item, endpoint_id: shared.id }),
    ]) {
      const item = await subscription({ destination_url: OWN });
      const own = item['endpoint'] as Item;
      const joined = expectStatus(200, await change(item)).item;
      expect(joined).toMatchObject({ endpoint: { id: shared.id }, destination_url: SHARED });
      expect(joined['signing_key']).toBe(shared['signing_key']);
      expectStatus(404, await api.get(below(own.url), { token }));
      expectStatus(200, await send('PUT', item, joined));
      expectStatus(200, await send('PUT', item, { destination_url: SHARED }));
      expectStatus(200, await send('PATCH', item, { end_dt: null }));
      expect(await read(item)).toMatchObject({ endpoint: { id: shared.id }, destination_url: SHARED });
      const refused = await send('PATCH', item, { destination_url: OWN });
      expect([refused.status, refused.violations]).toEqual([422, ['invalid /destination_url']]);
      const left = expectStatus(200, await send('PATCH', item, { endpoint_id: null, destination_url: OWN })).item;
      expect(left).toMatchObject({ destination_url: OWN, signing_key: KEY });
      expect([(left['endpoint'] as Item).id === shared.id, left['signing_key'] === shared['signing_key']]).toEqual([
        false,
        false,
      ]);
      expect(await read(item)).toEqual(left);
    }
    expect(await read(shared)).toMatchObject({ subscription_count: 0, signing_key: shared['signing_key'] });
  });

  test('keeps its own endpoint with another destination, and with null as endpoint_id', async () => {
    const item = await subscription({ destination_url: OWN });
    const { id } = item['endpoint'] as Item;
    for (const body of [
      { destination_url: 'https://third.example.com/' },
      { endpoint_id: null },
      { endpoint_id: id, destination_url: 'https://fourth.example.com/' },
      { endpoint_id: id },
    ]) {
      const { item: now } = expectStatus(200, await send('PATCH', item, body));
      const { endpoint_id: _, ...shown } = { endpoint_id: id, ...body };
      expect(now).toMatchObject({ ...shown, endpoint: { id }, signing_key: item['signing_key'] });
    }
  });

  test('counts towards the quota of the endpoint that the subscription joins', async () => {
    const shared = await endpoint();
    const other = await make.topic();
    await api.database.query(
      `INSERT INTO notification_subscriptions
         (topic_id, start_dt, active_from_dt, destination_url, destination_origin, endpoint_id)
       SELECT $1, now(), now(), $2, $2, $3 FROM generate_series(1, 500)`,
      [other.id, SHARED, shared.id],
    );
    const item = await subscription({ destination_url: OWN });
    for (const answer of [
      await subscribe({ endpoint_id: shared.id }),
      await send('PATCH', item, { endpoint_id: shared.id }),
    ])
      expect([answer.status, answer.violations]).toEqual([422, ['quota_exceeded ']]);
    await api.database.query('DELETE FROM notification_subscriptions WHERE topic_id = $1', [other.id]);
  });
});
