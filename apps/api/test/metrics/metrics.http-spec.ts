// @group sample: npm test runs a quarter of its tests
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { COUNT_OUTCOMES } from '../../src/metrics/metrics.js';
import { ownMsOf } from '../support/own-time.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let port: number;

beforeAll(async () => {
  port = await api.listen();
});

/** Reads the samples by name and labels, such as `api_counts_total{outcome="exact"}`. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const { status, text, headers } = await api.request('GET', '/metrics', { token: null });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** Waits until all samples have the values in `expected`. Null means that the sample must be absent. */
async function shows(expected: Readonly<Record<string, number | null>>): Promise<void> {
  const wanted = new Map(Object.entries(expected));
  for (;;) {
    const found = await scrape();
    if ([...wanted].every(([name, value]) => (found.get(name) ?? null) === value)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns by how much each sample increases while `work` runs. */
async function rises(names: readonly string[], work: () => Promise<unknown>): Promise<readonly number[]> {
  const before = await scrape();
  await work();
  const after = await scrape();
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
}

describe('GET /metrics', () => {
  test('is public and shows build, process and pools', async () => {
    const samples = await scrape();
    expect([...samples.keys()]).toEqual(
      expect.arrayContaining([
        `api_build_info{version="test",node="${process.version}"}`,
        'process_cpu_seconds_total',
        'nodejs_eventloop_lag_p99_seconds',
        ...['main', 'reading', 'counting', 'exporting'].flatMap((pool) => [
          `api_postgres_connections{pool="${pool}",state="idle"}`,
          `api_postgres_connections{pool="${pool}",state="busy"}`,
          `api_postgres_connections_max{pool="${pool}"}`,
          `api_postgres_waiting{pool="${pool}"}`,
        ]),
        'api_outbox_events',
        'api_quarantined_events',
        'api_reading_up{reading="outbox"}',
        'api_requests_limited_total{reason="rate"}',
        'api_requests_unlimited_total',
      ]),
    );
  });
});

describe('requests in the metrics', () => {
  const item = 'method="GET",route="/api/v1/candidates/:id"';

  test('are counted and timed by method, route pattern and status', async () => {
    const { id } = await make.candidate();
    const names = [
      `api_http_requests_total{${item},status="200"}`,
      `api_http_requests_total{${item},status="404"}`,
      `api_http_request_duration_seconds_count{${item},status_class="4xx"}`,
    ];
    const found = await rises(names, async () => {
      await api.get(`/candidates/${String(id)}`);
      await api.get('/candidates/999999');
    });
    expect(found).toEqual([1, 1, 1]);
    const [bytes] = await rises([`api_http_response_bytes_total{${item}}`], async () =>
      expect((await api.get(`/candidates/${String(id)}`)).status).toBe(200),
    );
    expect(bytes).toBeGreaterThan(100);
  });

  test('share one label when they have no route, as unknown methods do', async () => {
    // Other samples, such as those of the outbox, may appear at any time.
    const countRequestSamples = async (): Promise<number> =>
      [...(await scrape()).keys()].filter((name) => name.startsWith('api_http_')).length;
    const before = await countRequestSamples();
    const work = async (): Promise<void> => {
      for (const path of ['/nowhere', '/api/v1/robin@example.com', '/api/v1/candidates/1/secret'])
        await api.request('GET', path);
    };
    expect(await rises(['api_http_requests_total{method="GET",route="unknown",status="404"}'], work)).toEqual([3]);
    const once = await countRequestSamples();
    await work();
    expect(await countRequestSamples()).toBe(once);
    expect(once - before).toBeLessThan(20);
    expect([...(await scrape()).keys()].filter((name) => /robin|nowhere|secret/.test(name))).toEqual([]);
  });

  test('count as in flight until they are answered or the client disconnects', async () => {
    await shows({ api_http_requests_in_flight: 1 }); // The request that reads the metrics is itself in flight.
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /api/v1/candidates HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.adminToken}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await shows({ api_http_requests_in_flight: 2 });
    socket.destroy();
    await shows({
      api_http_requests_in_flight: 1,
      'api_http_requests_total{method="POST",route="/api/v1/candidates",status="499"}': 1,
    });
  });
});

test('GET /metrics shows the sources of counts, authentication failures and replayed answers', async () => {
  await make.candidate();
  const outcomes = COUNT_OUTCOMES.map((outcome) => `api_counts_total{outcome="${outcome}"}`);
  const seen = new Set<string>();
  // Repeats the requests until both outcomes were seen. A transaction in any database of the server can make a cached
  // count inexact, and a busy machine may serve a slow count as stale.
  while (!seen.has('counted') || !seen.has('exact')) {
    const found = await rises(outcomes, async () => {
      await api.get('/users?per_page=1');
      await api.get('/users?per_page=1');
    });
    expect(found.reduce((sum, count) => sum + count)).toBe(2);
    for (const [index, outcome] of COUNT_OUTCOMES.entries()) if ((found[index] ?? 0) > 0) seen.add(outcome);
  }
  expect(await rises(['api_authentication_failures_total'], () => api.get('/me', { token: 'nonsense' }))).toEqual([1]);
  const post = () =>
    api.post('/job_boards', { name: 'Board', code: 'metrics' }, { headers: { 'idempotency-key': 'metrics' } });
  expect(
    await rises(['api_idempotency_replays_total'], async () => {
      await post();
      await post();
    }),
  ).toEqual([1]);
  expect((await scrape()).get('api_count_cache_entries')).toBeGreaterThan(0);
});

test('GET /metrics shows the age of the outbox, and answers within a second when PostgreSQL hangs', async () => {
  const { id } = await make.application();
  await api.put(`/applications/${String(id)}/process_state`, { state: 'in_review' });
  await api.database.query(`UPDATE domain_events SET occurred_dt = occurred_dt - interval '90 seconds'`);
  for (;;) if (((await scrape()).get('api_outbox_oldest_age_seconds') ?? 0) >= 90) break;
  await api.database.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE domain_events IN ACCESS EXCLUSIVE MODE');
    await shows({ 'api_reading_up{reading="outbox"}': 0 });
    expect(await ownMsOf(scrape)).toBeLessThan(1_000);
  });
  await shows({ 'api_reading_up{reading="outbox"}': 1 });
});
