import { beforeAll, describe, expect, test } from '@jest/globals';
import { continueRedeliveries } from '@ats/domain';
import { identityOf, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let subscription: Item;

beforeAll(async () => {
  subscription = await make.subscription();
  for (const [index, status] of ['delivered', 'exhausted', 'delivered'].entries()) {
    await make.delivery({ subscription, status, occurred_dt: `2026-11-1${index}T12:00:00.000Z` });
  }
});

const ask = (body: unknown, of = subscription) => api.post(`${below(of.url)}/redeliver`, body);
const since_dt = '2026-11-11T00:00:00.000Z';

describe('requesting a redelivery', () => {
  test('answers 202 with a redelivery that shows its progress', async () => {
    const { item, headers } = expectStatus(202, await ask({ since_dt, until_dt: '2026-11-20T01:00:00+01:00' }));
    expect(item).toEqual({
      ...identityOf(item, `${subscription.url}/redeliveries/${item.id}`),
      since_dt,
      until_dt: '2026-11-20T00:00:00.000Z',
      delivery_status: null,
      status: 'running',
      total: 2,
      redelivered: 0,
      skipped: 0,
    });
    expect(headers['location']).toBe(item.url);
    await continueRedeliveries(api.database);
    const done = { ...item, status: 'done', redelivered: 2, updated_dt: expect.any(String) };
    expect((await api.get(below(item.url))).item).toEqual(done);
    expect(
      (await api.get(`${below(subscription.url)}/deliveries?status=due`)).items.map(({ sequence }) => sequence),
    ).toEqual([3, 2]);
    expect((await api.get(`${below(subscription.url)}/redeliveries`)).items[0]).toEqual(done);
  });

  test('covers deliveries up to now by default, and may be limited to deliveries of one status', async () => {
    const of = await make.subscription();
    for (const status of ['delivered', 'exhausted', 'exhausted']) await make.delivery({ subscription: of, status });
    const { item } = expectStatus(202, await ask({ since_dt: '2026-01-01T00:00:00Z', status: 'exhausted' }, of));
    expect(item).toMatchObject({ delivery_status: 'exhausted', total: 2 });
    expect(new Date(String(item['until_dt'])).getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(
      expectStatus(202, await ask({ since_dt: '2026-01-01T00:00:00Z', status: null, until_dt: null }, of)).item,
    ).toMatchObject({ delivery_status: null, total: 3 });
  });

  test.each([
    [{}, ['missing /since_dt']],
    [{ since_dt: null }, ['missing /since_dt']],
    [
      { since_dt: '2026-11-11', until_dt: 'now', status: 'queued', dry: true },
      ['invalid /dry', 'invalid /since_dt', 'invalid /status', 'invalid /until_dt'],
    ],
    [{ since_dt, status: 'sending' }, ['invalid /status']],
    [{ since_dt, status: 'held' }, ['invalid /status']],
    [{ since_dt, status: ['due'] }, ['invalid /status']],
    [{ since_dt, until_dt: since_dt }, ['invalid /until_dt']],
    [{ since_dt, until_dt: '2026-01-01T00:00:00Z' }, ['invalid /until_dt']],
    [{ since_dt: '2099-01-01T00:00:00Z' }, ['invalid /since_dt']],
    [{ since_dt: '2026-11-11T00:00:00\u0000Z' }, ['invalid /since_dt']],
  ])('rejects the body %j', async (body, violations) => {
    const answer = await ask(body);
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('is rejected while the subscription is disabled', async () => {
    const of = await make.subscription();
    expectStatus(200, await api.post(`${below(of.url)}/disable`));
    const answer = await ask({ since_dt }, of);
    expect([answer.status, answer.problem.errors]).toEqual([
      422,
      [expect.objectContaining({ resource: 'notification_redeliveries', path: '', code: 'subscription_disabled' })],
    ]);
    expect((await api.get(`${below(of.url)}/redeliveries`)).items).toEqual([]);
  });

  test('runs once per idempotency key', async () => {
    const of = await make.subscription();
    const options = { headers: { 'idempotency-key': 'recovery' } };
    const path = `${below(of.url)}/redeliver`;
    const first = expectStatus(202, await api.post(path, { since_dt }, options));
    expect((await api.post(path, { since_dt }, options)).text).toBe(first.text);
    expect((await api.get(`${below(of.url)}/redeliveries`)).items).toHaveLength(1);
  });

  test('answers 404 under the URL of another subscription', async () => {
    const redelivery = await make.redelivery();
    const other = await make.subscription();
    expect((await api.get(`${below(other.url)}/redeliveries/${redelivery.id}`)).status).toBe(404);
    expect((await ask({ since_dt }, { ...other, url: other.url.replace(/topics\/\d+/, 'topics/1') })).status).toBe(404);
  });
});
