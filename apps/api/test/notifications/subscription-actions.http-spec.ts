// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const pathOf = ({ url }: Item): string => below(url);
const DAY_MS = 86_400_000;

describe('rotating the key of a subscription', () => {
  const rotate = (of: Item, body?: object) => api.post(`${pathOf(of)}/rotate_key`, body);
  const fromDt = ({ next_key_from_dt }: Item): number => new Date(String(next_key_from_dt)).getTime();

  test.each([
    ['a day without a body', undefined, DAY_MS],
    ['a day with an empty body', {}, DAY_MS],
    ['the time of overlap_s', { overlap_s: 60 }, 60_000],
    ['30 days at most', { overlap_s: 2_592_000 }, 30 * DAY_MS],
  ])('shows the next key and when it takes over, after %s', async (_, body, overlapMs) => {
    const before = await make.subscription();
    const asked = Date.now();
    const { item, headers } = expectStatus(200, await rotate(before, body));
    expect(item).toEqual({
      ...before,
      updated_dt: item['updated_dt'],
      next_signing_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      next_key_from_dt: expect.any(String),
    });
    expect(item['next_signing_key']).not.toBe(before['signing_key']);
    const rotatedAt = fromDt(item) - overlapMs;
    expect([rotatedAt >= asked - 1_000, rotatedAt <= Date.now() + 1_000]).toEqual([true, true]);
    expect([headers['cache-control'], String(item['updated_dt']) > String(before['updated_dt'])]).toEqual([
      'no-store',
      true,
    ]);
    expect((await api.get(pathOf(before))).item).toEqual(item);
  });

  test('takes effect at once when the request gives no overlap', async () => {
    const before = await make.subscription();
    expectStatus(200, await rotate(before));
    const { item } = expectStatus(200, await rotate(before, { overlap_s: 0 }));
    expect([item['next_signing_key'], item['next_key_from_dt']]).toEqual([null, null]);
    expect(item['signing_key']).not.toBe(before['signing_key']);
    expect(item['standard_webhooks_secret']).toBe(
      `whsec_${Buffer.from(String(item['signing_key'])).toString('base64')}`,
    );
  });

  test.each([
    [{ overlap_s: -1 }, ['invalid /overlap_s']],
    [{ overlap_s: 2_592_001 }, ['invalid /overlap_s']],
    [{ overlap_s: 1.5 }, ['invalid /overlap_s']],
    [{ overlap_s: '60' }, ['invalid /overlap_s']],
    [{ overlap_s: null }, ['missing /overlap_s']],
    [{ overlap: 60 }, ['invalid /overlap']],
    [[], ['invalid ']],
  ])('rejects %j, and keeps the key', async (body, violations) => {
    const before = await make.subscription();
    const answer = await rotate(before, body);
    expect([answer.status, answer.violations]).toEqual([422, violations]);
    expect((await api.get(pathOf(before))).item).toEqual(before);
  });

  test('logs that a client read the keys, but not the keys', async () => {
    const before = await make.subscription();
    const lines = api.log.length;
    const { item } = expectStatus(200, await rotate(before));
    const logged = api.log.slice(lines).filter((line) => line.includes('signing key'));
    expect([logged.length, logged.some((line) => line.includes(String(item['next_signing_key'])))]).toEqual([1, false]);
  });

  test('runs once per Idempotency-Key', async () => {
    const before = await make.subscription();
    const options = { headers: { 'idempotency-key': 'rotation' } };
    const first = expectStatus(200, await api.post(`${pathOf(before)}/rotate_key`, { overlap_s: 60 }, options));
    expect((await api.post(`${pathOf(before)}/rotate_key`, { overlap_s: 60 }, options)).text).toBe(first.text);
    expect((await api.get(pathOf(before))).item).toEqual(first.item);
  });
});

describe('a test message', () => {
  test.each([
    ['active', {}, null],
    ['pending', { start_dt: '2099-01-01T00:00:00Z' }, null],
    ['ended', { start_dt: '2020-01-01T00:00:00Z', end_dt: '2020-01-02T00:00:00Z' }, null],
    ['disabled', {}, 'disable'],
  ])('can be sent by a subscription that is %s, and appears in the delivery log', async (status, window, action) => {
    const subscription = await make.subscription(window);
    if (action) expectStatus(200, await api.post(`${pathOf(subscription)}/${action}`));
    const { item, headers } = expectStatus(202, await api.post(`${pathOf(subscription)}/ping`));
    expect([(await api.get(pathOf(subscription))).item['status'], headers['location']]).toEqual([status, item.url]);
    expect(item).toMatchObject({ event_id: null, sequence: 0, status: 'due', attempts: [] });
    expect(JSON.parse(String(item['body']))).toMatchObject({
      message_id: item['message_id'],
      subscription: { id: subscription.id },
      details: { id: item.id, url: item.url, is_test: true },
    });
    expect((await api.get(below(item.url))).item).toEqual(item);
  });

  test('is logged by the notifier with the id of the request', async () => {
    const subscription = await make.subscription();
    const { item } = expectStatus(
      202,
      await api.post(`${pathOf(subscription)}/ping`, undefined, { headers: { 'x-request-id': 'ping-7' } }),
    );
    expect(await api.database.query('SELECT request_id FROM notification_deliveries WHERE id = $1', [item.id])).toEqual(
      [{ request_id: 'ping-7' }],
    );
  });

  test('is rejected for a forbidden destination', async () => {
    const subscription = await make.subscription();
    await api.database.query(
      `UPDATE notification_subscriptions SET destination_url = 'https://169.254.169.254/' WHERE id = $1`,
      [subscription.id],
    );
    const answer = await api.post(`${pathOf(subscription)}/ping`);
    expect([answer.status, answer.violations]).toEqual([422, ['invalid /destination_url']]);
    expect((await api.get(`${pathOf(subscription)}/deliveries`)).items).toEqual([]);
  });

  test('can be sent on a day without a partition', async () => {
    const subscription = await make.subscription();
    const partitions = await api.database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'notification_deliveries'::regclass`,
    );
    for (const { name } of partitions) await api.database.query(`DROP TABLE ${name}`);
    expectStatus(202, await api.post(`${pathOf(subscription)}/ping`));
  });
});

describe('a replacement that changes nothing', () => {
  test.each([
    [
      'topic',
      () => make.topic({ description: 'text', expression: 'application.opportunity_id == 7' }),
      ['type', 'name', 'description', 'expression'],
    ],
    [
      'subscription',
      () => make.subscription({ end_dt: '2099-01-01T00:00:00Z' }),
      ['start_dt', 'end_dt', 'destination_url'],
    ],
  ])('keeps the ETag and updated_dt of a %s', async (_, create, names) => {
    const item = await create();
    const { etag } = await api.get(pathOf(item));
    const body = Object.fromEntries(names.map((name) => [name, item[name]]));
    const same = expectStatus(200, await api.put(pathOf(item), body));
    expect([same.item, same.etag]).toEqual([item, etag]);
    const other = expectStatus(
      200,
      await api.put(pathOf(item), {
        ...body,
        [names.at(-1) ?? '']: names.includes('type') ? null : 'https://other.example.com/',
      }),
    );
    expect([other.etag === etag, String(other.item['updated_dt']) > String(item['updated_dt'])]).toEqual([false, true]);
  });
});
