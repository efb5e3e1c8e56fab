import { beforeAll, describe, expect, test } from '@jest/globals';
import { histogramOf, NO_HEALTH, STATS_PERIODS, type StatsPeriod } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';
const patch = (item: Item, body: object, headers: Readonly<Record<string, string>> = {}) =>
  api.request('PATCH', `/api/v1${below(item.url)}`, { body, headers });
const etagOf = async (item: Item): Promise<string> => (await api.get(below(item.url))).etag;

/** A fixed time from which all periods of the tests follow, so that no period ends between two requests. */
const NOW_MS = Date.now();

/** Adds attempts of the period that began `ago` periods before the present one. */
const addAttempts = (item: Item, period: StatsPeriod, [cause, attempts, ago = 0]: [string, number, number?]) => {
  const ms = STATS_PERIODS[period].seconds * 1_000;
  const from = new Date((Math.floor(NOW_MS / ms) - ago) * ms);
  const latencies = cause === '' ? histogramOf(Array.from({ length: attempts }, () => 100)) : [];
  return api.database.query('INSERT INTO notification_endpoint_stats VALUES ($1, $2, $3, $4, $5, $6)', [
    item.id,
    ms / 1_000,
    from,
    cause,
    attempts,
    latencies,
  ]);
};

describe('the health of an endpoint', () => {
  test('is the same in the item, in lists, and in the answers to writes', async () => {
    const subscription = await make.subscription();
    const endpoint = await make.endpointOf(subscription);
    expect(endpoint['health']).toEqual(NO_HEALTH);
    for (const [cause, attempts] of [['', 2] as const, ['timeout', 1] as const])
      for (const period of ['5m', '1h'] as const) await addAttempts(endpoint, period, [cause, attempts]);
    await api.database.query(
      `UPDATE notification_subscriptions SET last_success_dt = '2026-05-01T10:00:00Z' WHERE id = $1`,
      [subscription.id],
    );
    expectStatus(200, await api.post(`${below(subscription.url)}/disable`));
    expectStatus(202, await api.post(`${below(subscription.url)}/ping`));
    const { health } = expectStatus(200, await api.get(below(endpoint.url))).item;
    expect(health).toEqual({
      last_success_dt: '2026-05-01T10:00:00.000Z',
      success_rate_1h: 0.666,
      success_rate_24h: 0.666,
      latency_p50_ms: 108,
      latency_p99_ms: 108,
      backlog: 1,
      disabled_dt: expect.any(String),
      disabled_reason: 'requested',
    });
    const search = `/id=${endpoint.id}`;
    for (const items of [
      expectStatus(200, await api.get(`${ENDPOINTS}?search=${search}`)).items,
      expectStatus(200, await api.post(`${ENDPOINTS}/query`, { search: [search] })).items,
      [expectStatus(200, await patch(endpoint, { name: 'Changed' })).item],
    ])
      expect(items.map((item) => item['health'])).toEqual([health]);
  });

  test('is empty for a new endpoint, also in the repeated answer to its creation', async () => {
    const body = { name: 'New', destination_url: 'https://receiver.example.com/' };
    const headers = { 'idempotency-key': `health ${Date.now()}` };
    const created = expectStatus(201, await api.post(ENDPOINTS, body, { headers }));
    const repeated = expectStatus(201, await api.post(ENDPOINTS, body, { headers }));
    expect([created.item['health'], repeated.item['health']]).toEqual([NO_HEALTH, NO_HEALTH]);
    expect([created.etag, repeated.etag]).toEqual([await etagOf(created.item), created.etag]);
  });

  test('changes the ETag, but not the part of it that If-Match compares', async () => {
    const endpoint = await make.endpoint();
    const before = await etagOf(endpoint);
    const known = { 'if-none-match': before };
    expect((await api.get(below(endpoint.url), { headers: known })).status).toBe(304);
    await addAttempts(endpoint, '5m', ['timeout', 1]);
    expect((await api.get(below(endpoint.url), { headers: known })).status).toBe(200);
    expect(await etagOf(endpoint)).not.toBe(before);
    expectStatus(200, await patch(endpoint, { name: 'Second' }, { 'if-match': before }));
    expect((await patch(endpoint, { name: 'Third' }, { 'if-match': before })).status).toBe(412);
    const current = await etagOf(endpoint);
    for (const stale of ['"another"', current.replace(/\w/, '-')])
      expect((await patch(endpoint, { name: 'Third' }, { 'if-match': stale })).status).toBe(412);
    expectStatus(200, await patch(endpoint, { name: 'Third' }, { 'if-match': `"another", ${current}` }));
    expectStatus(204, await api.delete(below(endpoint.url), { headers: { 'if-match': await etagOf(endpoint) } }));
  });

  test('is ignored in PUT and PATCH, because it changes without a write, and is refused in POST', async () => {
    const endpoint = await make.endpoint();
    await addAttempts(endpoint, '5m', ['', 1]);
    const put = expectStatus(200, await api.put(below(endpoint.url), endpoint)).item;
    expect(put['health']).toMatchObject({ success_rate_1h: 1 });
    expect(expectStatus(200, await patch(endpoint, { name: 'Changed', health: null })).item).toMatchObject({
      name: 'Changed',
      health: { success_rate_1h: 1 },
    });
    const body = { name: 'x', destination_url: 'https://receiver.example.com/', health: NO_HEALTH };
    const refused = await api.post(ENDPOINTS, body);
    expect([refused.status, refused.violations]).toEqual([422, ['invalid /health']]);
  });
});

describe(`GET ${ENDPOINTS}/<id>/metrics`, () => {
  let endpoint: Item;
  const metrics = (query: string) => api.get(`${below(endpoint.url)}/metrics?${query}`);
  beforeAll(async () => {
    endpoint = await make.endpoint();
    await addAttempts(endpoint, '1h', ['', 3, 2]);
    await addAttempts(endpoint, '1h', ['timeout', 1, 2]);
    await addAttempts(endpoint, '1h', ['status', 2, 1]);
    await addAttempts(endpoint, '1d', ['', 3]);
  });

  test('counts the attempts by period and cause', async () => {
    const { items } = expectStatus(200, await metrics('bucket=1h')).json as { readonly items: readonly Item[] };
    const from_dt = expect.stringMatching(/:00:00\.000Z$/);
    expect(items).toEqual([
      { from_dt, attempts: 4, delivered: 3, failed: { timeout: 1 }, latency_p50_ms: 108, latency_p99_ms: 108 },
      { from_dt, attempts: 2, delivered: 0, failed: { status: 2 }, latency_p50_ms: null, latency_p99_ms: null },
    ]);
    expect((await metrics('bucket=5m')).json).toEqual({ items: [] });
    expect((await metrics('bucket=1d')).json).toMatchObject({ items: [{ attempts: 3 }] });
    const [first, second] = items.map((item) => String(item['from_dt']));
    expect((await metrics(`bucket=1h&since_dt=${second}`)).json).toEqual({ items: items.slice(1) });
    expect((await metrics(`bucket=1h&since_dt=${first}&until_dt=${second}`)).json).toEqual({
      items: items.slice(0, 1),
    });
    expect((await metrics('bucket=1h&since_dt=2020-01-01T00:00:00%2B01:00')).json).toEqual({ items });
  });

  test.each([
    ['', ['bucket: missing: expected one of 5m, 1h, 1d']],
    ['bucket=minute', ['bucket: invalid: expected one of 5m, 1h, 1d, found "minute"']],
    ['bucket=1h&bucket=1d', ['bucket: invalid: expected the parameter once, found 2 times: "1h", "1d"']],
    [
      'bucket=&since_dt=yesterday&until_dt=2026-01-01&to=1',
      [
        'to: invalid: unknown parameter, expected one of bucket, since_dt, until_dt',
        'bucket: invalid: expected one of 5m, 1h, 1d, found ""',
        'since_dt: invalid: expected a timestamp as YYYY-MM-DDThh:mm:ss.sssZ',
        'until_dt: invalid: expected a timestamp as YYYY-MM-DDThh:mm:ss.sssZ',
      ],
    ],
    [
      'bucket=5m&since_dt=2026-01-01T00:00:00Z&until_dt=2026-01-01T01:00:00%2B01:00',
      ['until_dt: invalid: expected a timestamp after since_dt'],
    ],
  ])('refuses the query %s', async (query, expected) => {
    const { status, problem } = await metrics(query);
    expect([status, problem.errors?.map(({ parameter, code, info }) => `${parameter}: ${code}: ${info}`)]).toEqual([
      400,
      expected,
    ]);
  });

  test('needs notifications:read and an existing endpoint', async () => {
    const path = `${below(endpoint.url)}/metrics?bucket=1h`;
    expectStatus(403, await api.get(path, { token: await make.token('notifications:write') }));
    expectStatus(200, await api.get(path, { token: await make.token('notifications:read') }));
    expectStatus(404, await api.get(`${ENDPOINTS}/999999999/metrics?bucket=1h`));
  });
});

describe(`GET ${ENDPOINTS}/metrics`, () => {
  const PATH = `${ENDPOINTS}/metrics`;

  test('adds up the attempts of all endpoints by period and cause', async () => {
    const since = new Date(Math.floor(NOW_MS / 86_400_000 - 20) * 86_400_000).toISOString();
    const until = new Date(Math.floor(NOW_MS / 86_400_000 - 10) * 86_400_000).toISOString();
    for (const endpoint of [await make.endpoint(), await make.endpoint()]) {
      await addAttempts(endpoint, '1d', ['', 3, 15]);
      await addAttempts(endpoint, '1d', ['timeout', 1, 15]);
    }
    await addAttempts(await make.endpoint(), '1d', ['status', 2, 15]);
    await addAttempts(await make.endpoint(), '1d', ['', 1, 11]);
    const read = (more: string) => api.get(`${PATH}?bucket=1d&since_dt=${since}${more}`);
    expect(expectStatus(200, await read(`&until_dt=${until}`)).json).toEqual({
      items: [
        {
          from_dt: expect.any(String),
          attempts: 10,
          delivered: 6,
          failed: { status: 2, timeout: 2 },
          latency_p50_ms: 108,
          latency_p99_ms: 108,
        },
        {
          from_dt: expect.any(String),
          attempts: 1,
          delivered: 1,
          failed: {},
          latency_p50_ms: 108,
          latency_p99_ms: 108,
        },
      ],
    });
  });

  test('needs notifications:read, and refuses an unknown length of periods', async () => {
    expectStatus(403, await api.get(`${PATH}?bucket=1h`, { token: await make.token('notifications:write') }));
    expectStatus(200, await api.get(`${PATH}?bucket=1h`, { token: await make.token('notifications:read') }));
    const { status, violations } = await api.get(`${PATH}?bucket=minute`);
    expect([status, violations]).toEqual([400, ['invalid ?bucket']]);
  });
});
