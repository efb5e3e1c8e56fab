// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Method } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ADMIN = 'notifications:admin';
const ALL = ['notifications:write', 'notifications:read', 'applications:read'] as const;
const URL = 'https://receiver.example.com/';

let owner: Item & { readonly token: string };
let other: string;
let admin: string;

beforeAll(async () => {
  owner = await make.credential({ scopes: ALL });
  other = await make.token(...ALL);
  admin = await make.token(...ALL, ADMIN);
});

const call = (method: Method, item: Item, token: string, below_ = '', body?: unknown): Promise<Answer> =>
  api.request(method, `/api/v1${below(item.url)}${below_}`, { token, ...(body !== undefined && { body }) });
const topicOf = async (token = owner.token): Promise<Item> =>
  expectStatus(201, await api.post('/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'T' }, { token }))
    .item;
const subscriptionOf = async (topic: Item, token = owner.token): Promise<Item> =>
  expectStatus(201, await api.post(`${below(topic.url)}/subscriptions`, { destination_url: URL }, { token })).item;
const withoutOwner = async (table: string, { id }: Item): Promise<unknown> =>
  api.database.query(`UPDATE ${table} SET owner_id = NULL WHERE id = $1`, [id]);

interface Change {
  readonly name: string;
  readonly method: Method;
  readonly kind: 'topic' | 'subscription';
  readonly path: string;
  readonly body?: object;
}

/** All operations that change a topic or a subscription. */
const CHANGES: readonly Change[] = [
  {
    name: 'replace a topic',
    method: 'PUT',
    kind: 'topic',
    path: '',
    body: { type: 'STATE_CHANGE_APPLICATION', name: 'U' },
  },
  { name: 'change a topic', method: 'PATCH', kind: 'topic', path: '', body: { name: 'V' } },
  {
    name: 'replace a subscription',
    method: 'PUT',
    kind: 'subscription',
    path: '',
    body: { destination_url: `${URL}other` },
  },
  {
    name: 'change a subscription',
    method: 'PATCH',
    kind: 'subscription',
    path: '',
    body: { destination_url: `${URL}third` },
  },
  { name: 'disable a subscription', method: 'POST', kind: 'subscription', path: '/disable' },
  { name: 'enable a subscription', method: 'POST', kind: 'subscription', path: '/enable' },
  { name: 'rotate a key', method: 'POST', kind: 'subscription', path: '/rotate_key', body: { overlap_s: 0 } },
  { name: 'send a test message', method: 'POST', kind: 'subscription', path: '/ping' },
  {
    name: 'redeliver a period',
    method: 'POST',
    kind: 'subscription',
    path: '/redeliver',
    body: { since_dt: '2026-11-01T00:00:00.000Z' },
  },
  { name: 'redeliver a delivery', method: 'POST', kind: 'subscription', path: '/deliveries/DELIVERY/redeliver' },
  { name: 'delete a subscription', method: 'DELETE', kind: 'subscription', path: '' },
  { name: 'delete a topic', method: 'DELETE', kind: 'topic', path: '' },
];

describe('an owner', () => {
  test('is the credential that created the topic or the subscription', async () => {
    const topic = await topicOf();
    const subscription = await subscriptionOf(topic);
    const shown = { id: owner.id, url: owner.url };
    expect([topic['owner'], subscription['owner']]).toEqual([shown, shown]);
    const found = await api.get(`/notification_topics?search=/owner/id=${owner.id}&per_page=1000`);
    expect(found.items.map(({ id }) => id)).toContain(topic.id);
  });

  test.each(CHANGES)('may $name, and otherwise only an admin may', async ({ name, method, kind, path, body }) => {
    const topic = await topicOf();
    const items = { topic, subscription: await subscriptionOf(topic) };
    const delivery = await make.delivery({ subscription: items.subscription, status: 'delivered' });
    const address = path.replace('DELIVERY', String(delivery.id));
    const before = (await call('GET', items[kind], owner.token)).text;
    const refused = expectStatus(403, await call(method, items[kind], other, address, body));
    expect(refused.problem).toMatchObject({ message: expect.stringContaining(ADMIN) });
    expect((await call('GET', items[kind], owner.token)).text).toBe(before);
    const allowed = name.startsWith('delete') ? [admin] : [owner.token, admin];
    for (const token of allowed)
      expect((await call(method, items[kind], token, address, body)).status).toBeLessThan(300);
    expectStatus(
      404,
      await call(method, { ...items[kind], url: items[kind].url.replace(/\d+$/, '999999') }, other, address, body),
    );
  });

  test.each(CHANGES)('is not needed to $name that an earlier release created', async ({ method, kind, path, body }) => {
    const topic = await topicOf();
    const items = { topic, subscription: await subscriptionOf(topic) };
    const delivery = await make.delivery({ subscription: items.subscription, status: 'delivered' });
    await withoutOwner('notification_topics', topic);
    await withoutOwner('notification_subscriptions', items.subscription);
    const { status } = await call(method, items[kind], other, path.replace('DELIVERY', String(delivery.id)), body);
    expect(status).toBeLessThan(300);
  });

  test('of a topic cannot delete it with the subscription of another owner', async () => {
    const topic = await topicOf();
    await subscriptionOf(topic, other);
    expectStatus(403, await call('DELETE', topic, owner.token));
    expectStatus(204, await call('DELETE', topic, admin));
  });

  test('changes only by a write of an admin, and stays when a body leaves it out', async () => {
    const topic = await topicOf();
    const subscription = await subscriptionOf(topic);
    const next = await make.credential({ scopes: ALL });
    for (const item of [topic, subscription]) {
      expectStatus(403, await call('PATCH', item, owner.token, '', { owner_id: next.id }));
      expectStatus(403, await call('PATCH', item, owner.token, '', { owner_id: null }));
      expectStatus(200, await call('PATCH', item, owner.token, '', { owner_id: owner.id }));
      const unknown = expectStatus(422, await call('PATCH', item, admin, '', { owner_id: 999_999_999 }));
      expect(unknown.violations).toEqual(['invalid /owner_id']);
      const whole = (await call('GET', item, owner.token)).item;
      expectStatus(200, await call('PUT', item, owner.token, '', whole));
      expectStatus(200, await call('PATCH', item, admin, '', { owner_id: next.id }));
      expect((await call('GET', item, admin)).item['owner']).toEqual({ id: next.id, url: next.url });
      expectStatus(403, await call('PATCH', item, owner.token, '', {}));
      expectStatus(200, await call('PATCH', item, next.token, '', {}));
    }
  });

  test('of a new item can be named by an admin alone', async () => {
    const body = { type: 'STATE_CHANGE_APPLICATION', name: 'T', owner_id: owner.id };
    expectStatus(403, await api.post('/notification_topics', body, { token: other }));
    const { item } = expectStatus(201, await api.post('/notification_topics', body, { token: admin }));
    expect(item['owner']).toMatchObject({ id: owner.id });
  });
});

describe('the keys of a subscription', () => {
  const HIDDEN = { signing_key: null, standard_webhooks_secret: null, next_signing_key: null };
  const KEY = expect.stringMatching(/^[0-9a-f]{64}$/);
  const SHOWN = { signing_key: KEY, standard_webhooks_secret: expect.stringMatching(/^whsec_/) };

  test('are in the answer that creates them, and later for the owner and admins alone', async () => {
    const subscription = await subscriptionOf(await topicOf());
    expect(subscription).toMatchObject(SHOWN);
    expectStatus(200, await call('POST', subscription, owner.token, '/rotate_key'));
    for (const token of [owner.token, admin])
      expect((await call('GET', subscription, token)).item).toMatchObject({ ...SHOWN, next_signing_key: KEY });
    for (const token of [other, await make.token('*:read'), await make.token('*:read', '*:write')]) {
      const read = expectStatus(200, await call('GET', subscription, token));
      expect(read.item).toMatchObject(HIDDEN);
      expect(read.item['next_key_from_dt']).not.toBeNull();
    }
  });

  test('of an item without an owner are shown to admins; a new key is also shown to the credential that makes it', async () => {
    const subscription = await subscriptionOf(await topicOf());
    await withoutOwner('notification_subscriptions', subscription);
    expect((await call('GET', subscription, owner.token)).item).toMatchObject(HIDDEN);
    expect((await call('GET', subscription, admin)).item).toMatchObject(SHOWN);
    expect((await call('PATCH', subscription, other, '', { end_dt: null })).item).toMatchObject(HIDDEN);
    expect((await call('POST', subscription, other, '/disable')).item).toMatchObject(HIDDEN);
    const overlap = (await call('POST', subscription, other, '/rotate_key', { overlap_s: 60 })).item;
    expect(overlap).toMatchObject({ ...HIDDEN, next_signing_key: KEY });
    const atOnce = (await call('POST', subscription, other, '/rotate_key', { overlap_s: 0 })).item;
    expect(atOnce).toMatchObject({ ...SHOWN, next_signing_key: null });
  });
});
