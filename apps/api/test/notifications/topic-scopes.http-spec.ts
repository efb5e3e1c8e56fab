// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Method } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const SECRET = 'zephyrine@quellwasser.example';
const EXPRESSION = `application.user.email == "${SECRET}"`;
const DAY = '2026-11-01T00:00:00.000Z';
const DESTINATION = { destination_url: 'https://receiver.example.com/' };

/** A token with all scopes of notifications, but without the scope to read applications. */
let blind: string;
/** A token that may also read applications, which the expression needs. */
let reader: string;

beforeAll(async () => {
  const scopes = ['notifications:read', 'notifications:write', 'notifications:admin'];
  blind = await make.token(...scopes);
  reader = await make.token(...scopes, 'applications:read');
});

/** Creates a topic with a disabled subscription, a delivery and a redelivery. */
async function world(expression: string | null = EXPRESSION): Promise<Readonly<Record<string, Item>>> {
  const topic = await make.topic({ expression });
  const subscription = await make.subscription({ topicId: topic.id });
  const delivery = await make.delivery({ subscription, status: 'delivered', body: `{"email":"${SECRET}"}` });
  const redelivery = await make.redelivery(subscription);
  return { topic, subscription, delivery, redelivery };
}

const BODIES: Readonly<Record<string, unknown>> = {
  'POST /subscriptions': DESTINATION,
  'PUT /subscriptions/{id}': DESTINATION,
  'PATCH /subscriptions/{id}': DESTINATION,
  'POST /subscriptions/{id}/redeliver': { since_dt: DAY },
};

/** Operations that answer 403 when the credential may not read what the expression reads. */
const REFUSED = [
  'GET /subscriptions/{id}/deliveries',
  'GET /subscriptions/{id}/deliveries/{id}',
  'GET /subscriptions/{id}/messages',
  'POST /subscriptions',
  'POST /subscriptions/{id}/deliveries/query',
  'POST /subscriptions/{id}/deliveries/{id}/redeliver',
  'POST /subscriptions/{id}/enable',
  'POST /subscriptions/{id}/redeliver',
];
/** Operations that need the scope of the subject even for a topic without an expression. */
const SHOWS_SUBJECTS = REFUSED.filter((name) => /deliveries|messages/.test(name));

/** Returns all operations below a topic, such as `GET /subscriptions/{id}/messages`. */
async function operations(): Promise<readonly string[]> {
  const catalogue = (await api.get('/scopes')).json as readonly { readonly operations: readonly string[] }[];
  const found = catalogue
    .flatMap((one) => one.operations)
    .filter((name) => name.includes(' /api/v1/notification_topics/{topicId}/'))
    .map((name) => name.replace('/api/v1/notification_topics/{topicId}', '').replaceAll(/\{\w+\}/g, '{id}'));
  // Deletions come last, because they remove what other operations read.
  return [...new Set(found)].sort((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')));
}

function send(name: string, items: Awaited<ReturnType<typeof world>>, token: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  const ids = [items['subscription']?.id, items[path.includes('/redeliveries') ? 'redelivery' : 'delivery']?.id];
  const address = ids.reduce<string>((text, id) => text.replace('{id}', String(id)), path);
  const body = BODIES[name] ?? (path.endsWith('/query') ? {} : undefined);
  const url = `/api/v1${below(items['topic']?.url ?? '')}${address}`;
  return api.request(method as Method, url, { token, ...(body !== undefined && { body }) });
}

describe('a credential that may not read what the expression of a topic reads', () => {
  test('gets 403 or no value from every operation below the topic', async () => {
    const items = await world();
    const refused: string[] = [];
    for (const name of await operations()) {
      const answer = await send(name, items, blind);
      expect([name, answer.text.includes(SECRET)]).toEqual([name, false]);
      if (answer.status === 403) {
        expect(answer.problem.message).toBe('The credential lacks the scope applications:read');
        refused.push(name);
      } else expect([name, answer.status < 300]).toEqual([name, true]);
    }
    expect(refused.sort()).toEqual(REFUSED);
  });

  test('is refused only operations that a credential with the scopes may call', async () => {
    const items = await world();
    for (const name of REFUSED) expect([name, (await send(name, items, reader)).status < 300]).toEqual([name, true]);
  });

  test('gets no subject of an event from a topic without an expression', async () => {
    const items = await world(null);
    const refused: string[] = [];
    for (const name of await operations()) if ((await send(name, items, blind)).status === 403) refused.push(name);
    expect(refused.sort()).toEqual(SHOWS_SUBJECTS);
  });

  test('gets no message that matched an earlier expression', async () => {
    const items = await world();
    expectStatus(
      200,
      await api.request('PATCH', `/api/v1${below(items['topic']?.url ?? '')}`, { body: { expression: null } }),
    );
    const token = await make.token('notifications:read', 'applications:read');
    expectStatus(200, await send('GET /subscriptions/{id}/messages', items, token));
    const topic = await make.topic({ expression: 'application.user.language == "de"' });
    const further = { ...items, topic, subscription: await make.subscription({ topicId: topic.id }) };
    expectStatus(200, await api.request('PATCH', `/api/v1${below(topic.url)}`, { body: { expression: null } }));
    const answer = expectStatus(403, await send('GET /subscriptions/{id}/messages', further, token));
    expect(answer.problem.message).toBe('The credential lacks the scope users:read');
  });

  test('cannot preview events without the read scope of their subject', async () => {
    const body = { type: 'STATE_CHANGE_APPLICATION', expression: null, limit: 5 };
    expectStatus(403, await api.post('/notification_topics/preview', body, { token: blind }));
    expectStatus(200, await api.post('/notification_topics/preview', body, { token: reader }));
  });
});

describe('the expression of a topic', () => {
  test('is null in every answer, and in searches, without the scopes of its datapaths', async () => {
    const { topic, subscription } = (await world()) as { readonly topic: Item; readonly subscription: Item };
    const query = `search=/expression=~quellwasser&search=/id=${topic.id}`;
    const addresses = [`/notification_topics?search=/id=${topic.id}`, below(topic.url), below(subscription.url)];
    for (const token of [blind, await make.token('notifications:read', 'users:read', '*:write')]) {
      for (const address of [...addresses, below(subscription.url).replace(/\/\d+$/, '')]) {
        const answer = expectStatus(200, await api.get(address, { token }));
        expect(answer.text).not.toContain(SECRET);
        expect(answer.text).toContain('"expression":null');
      }
      expect((await api.get(`/notification_topics?${query}`, { token })).items).toEqual([]);
      expect((await api.get(`/notification_topics?filter=quellwasser`, { token })).text).not.toContain(SECRET);
    }
    for (const token of [reader, await make.token('*:read')]) {
      for (const address of addresses) expect((await api.get(address, { token })).text).toContain(SECRET);
      expect((await api.get(`/notification_topics?${query}`, { token })).items).toHaveLength(1);
    }
  });

  test('is null in the columns of a layout, also from a delivery', async () => {
    const { topic, subscription } = (await world()) as { readonly topic: Item; readonly subscription: Item };
    const layoutOf = (resource: string, datapath: string): Promise<Item> =>
      make.layout({ resource, columns: [{ title: 'Expression', datapath }] });
    const ofTopics = await layoutOf('notification_topics', 'notification_topic.expression');
    const address = `/notification_topics?search=/id=${topic.id}&layout=${ofTopics.id}`;
    expect(expectStatus(200, await api.get(address, { token: blind })).text).not.toContain(SECRET);
    expect(expectStatus(200, await api.get(address, { token: reader })).text).toContain(SECRET);
    const search = 'search=subscription.topic.expression=~quellwasser';
    const deliveries = `${below(subscription.url)}/deliveries?${search}`;
    expect((await api.get(deliveries, { token: reader })).items).toHaveLength(1);
  });

  test('stays when a credential that cannot read it changes another property', async () => {
    const topic = await make.topic({ expression: EXPRESSION });
    const address = `/api/v1${below(topic.url)}`;
    const patched = await api.request('PATCH', address, { token: blind, body: { name: 'Renamed' } });
    expect(expectStatus(200, patched).item).toMatchObject({ name: 'Renamed', expression: null });
    expect(expectStatus(200, await api.get(below(topic.url))).item).toMatchObject({
      name: 'Renamed',
      expression: EXPRESSION,
    });
    const whole = (await api.get(below(topic.url), { token: blind })).item;
    const refused = [
      await api.request('PUT', address, { token: blind, body: { ...whole, name: 'Erased' } }),
      await api.request('PATCH', address, { token: blind, body: { expression: null } }),
      await api.request('PATCH', address, { token: blind, body: { type: 'POSTING_CREATE' } }),
      await api.request('PATCH', address, { token: blind, body: { type: 'POSTING_CREATE', name: 7 } }),
    ];
    for (const answer of refused) expect(expectStatus(403, answer).text).not.toMatch(/quellwasser|user\.email/);
    expect((await api.get(below(topic.url))).item).toMatchObject({ name: 'Renamed', expression: EXPRESSION });
  });

  test('needs no scopes in a PUT that keeps it', async () => {
    const topic = await make.topic({ expression: EXPRESSION });
    const body = { type: topic['type'], name: 'Kept', expression: EXPRESSION };
    expectStatus(200, await api.put(below(topic.url), body, { token: blind }));
  });

  test('of the previous release is hidden until migrate has stored its scopes', async () => {
    const topic = await make.topic({ expression: EXPRESSION });
    await api.database.query('UPDATE notification_topics SET read_scopes = NULL WHERE id = $1', [topic.id]);
    expect((await api.get(below(topic.url), { token: reader })).item['expression']).toBeNull();
    expect((await api.get(below(topic.url))).item['expression']).toBe(EXPRESSION);
  });
});
