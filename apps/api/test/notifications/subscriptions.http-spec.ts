import { beforeAll, describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let topicId: number;

beforeAll(async () => {
  topicId = (await make.topic()).id;
});

const destination_url = 'https://receiver.example.com/hook?x=1';
const pathOf = ({ id }: Item): string => `/notification_topics/${topicId}/subscriptions/${id}`;
const post = (body: object) => api.post(`/notification_topics/${topicId}/subscriptions`, body);

describe('a subscription', () => {
  test('has the documented fields and its key, with Cache-Control: no-store', async () => {
    const window = { start_dt: '2030-01-01T00:00:00.000Z', end_dt: '2030-02-01T00:00:00.000Z' };
    const { item, headers } = expectStatus(201, await post({ destination_url, ...window }));
    const topic = (await api.get(`/notification_topics/${topicId}`)).item;
    const { updated_dt, owner, ...topicShown } = topic;
    const { id: endpointId, url: endpointUrl } = await make.endpointOf(item);
    expect(updated_dt).toEqual(expect.any(String));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1${pathOf(item)}`),
      ...window,
      destination_url,
      endpoint: { id: endpointId, url: endpointUrl },
      status: 'pending',
      disabled_reason: null,
      topic: topicShown,
      owner,
      signing_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      standard_webhooks_secret: `whsec_${Buffer.from(String(item['signing_key'])).toString('base64')}`,
      next_signing_key: null,
      next_key_from_dt: null,
    });
    expect([headers['location'], headers['cache-control']]).toEqual([item.url, 'no-store']);
    const read = await api.get(pathOf(item));
    expect([read.item, read.headers['cache-control']]).toEqual([item, 'no-store']);
  });

  test('hides its key in collections and encrypts it in the database', async () => {
    const item = await make.subscription({ topicId });
    const key = String(item['signing_key']);
    const list = await api.get(`/notification_topics/${topicId}/subscriptions?per_page=1000`);
    expect(list.items.map(({ id }) => id)).toContain(item.id);
    expect(list.text).not.toMatch(/signing_key|whsec_/);
    const [row] = await api.database.query<{ sealed: string }>(
      `SELECT encode(sealed_key, 'escape') AS sealed FROM notification_subscription_keys WHERE subscription_id = $1`,
      [item.id],
    );
    expect(row?.sealed).not.toContain(key);
  });

  test('has its own key, which a replacement keeps', async () => {
    const [first, second] = [await make.subscription({ topicId }), await make.subscription({ topicId })];
    expect(first['signing_key']).not.toBe(second['signing_key']);
    const { item } = expectStatus(200, await api.put(pathOf(first), { destination_url: 'https://new.example.com/' }));
    expect(item).toMatchObject({
      destination_url: 'https://new.example.com/',
      signing_key: first['signing_key'],
      end_dt: null,
    });
  });

  test('logs who read its key, but not the key', async () => {
    const item = await make.subscription({ topicId });
    const { id, token } = await make.credential({ scopes: ['notifications:read', 'notifications:admin'] });
    expect(id).toEqual(expect.any(Number));
    const before = api.log.length;
    await api.get(pathOf(item), { token });
    const lines = api.log
      .slice(before)
      .filter((line) => line.includes(`"credential_id":${String(id)},`) && line.includes('signing key'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(String(item['signing_key']));
  });

  test.each([
    ['active', {}],
    ['active', { start_dt: '2020-01-01T00:00:00Z' }],
    ['pending', { start_dt: '2099-01-01T00:00:00Z' }],
    ['ended', { start_dt: '2020-01-01T00:00:00Z', end_dt: '2020-01-02T00:00:00Z' }],
  ])('has the status %s with the period %j', async (status, window) => {
    expect(await make.subscription({ topicId, ...window })).toMatchObject({ status });
  });

  test('can be disabled and enabled repeatedly', async () => {
    const path = pathOf(await make.subscription({ topicId }));
    for (let count = 0; count < 2; count++) {
      expect(expectStatus(200, await api.post(`${path}/disable`)).item).toMatchObject({
        status: 'disabled',
        disabled_reason: 'requested',
      });
    }
    for (let count = 0; count < 2; count++) {
      expect(expectStatus(200, await api.post(`${path}/enable`)).item).toMatchObject({
        status: 'active',
        disabled_reason: null,
      });
    }
  });

  test('is deleted with its key', async () => {
    const item = await make.subscription({ topicId });
    expectStatus(204, await api.delete(pathOf(item)));
    expect((await api.get(pathOf(item))).status).toBe(404);
    expect(
      await api.database.query('SELECT 1 FROM notification_subscription_keys WHERE subscription_id = $1', [item.id]),
    ).toEqual([]);
  });

  test('is not found under the URL of another topic', async () => {
    const { id } = await make.subscription({ topicId });
    const other = `/notification_topics/${(await make.topic()).id}/subscriptions/${id}`;
    const answers = [
      api.get(other),
      api.put(other, { destination_url }),
      api.delete(other),
      api.post(`${other}/enable`),
      api.post(`${other}/disable`),
    ];
    for (const answer of answers) expect((await answer).status).toBe(404);
  });
});

describe('writing a subscription', () => {
  test.each([
    [{}, ['missing /destination_url']],
    [{ destination_url, start_dt: 'now', end_dt: '2030-01-01' }, ['invalid /end_dt', 'invalid /start_dt']],
    [{ destination_url, start_dt: '2030-01-01T00:00:00Z', end_dt: '2030-01-01T00:00:00Z' }, ['invalid /end_dt']],
    [
      { destination_url, start_dt: '2030-01-01T00:00:00.0001Z', end_dt: '2030-01-01T00:00:00.0009Z' },
      ['invalid /end_dt'],
    ],
    [{ destination_url, end_dt: '2020-01-01T00:00:00Z' }, ['invalid /end_dt']],
    [
      { destination_url: 'https://localhost/', end_dt: '2020-01-01T00:00:00Z' },
      ['invalid /destination_url', 'invalid /end_dt'],
    ],
    [
      { destination_url, signing_key: 'mine', status: 'active', topic_id: 1 },
      ['invalid /signing_key', 'invalid /status', 'invalid /topic_id'],
    ],
  ])('rejects the body %j', async (body, violations) => {
    const { status, violations: found } = await post(body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('accepts null for properties with a default', async () => {
    expect(expectStatus(201, await post({ destination_url, start_dt: null, end_dt: null })).item).toMatchObject({
      status: 'active',
      end_dt: null,
    });
  });

  test.each([
    'http://receiver.example.com/',
    'ftp://receiver.example.com/',
    'receiver.example.com',
    'https://user:password@receiver.example.com/',
    'https://receiver/',
    'https://localhost/',
    'https://printer.local/',
    'https://db.internal/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://receiver.example.com:22/',
    `https://receiver.example.com/${'x'.repeat(2048)}`,
  ])('rejects the destination %s', async (url) => {
    expect([...new Set((await post({ destination_url: url })).violations)]).toEqual(['invalid /destination_url']);
  });
});
