import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDeliveries, addSubscription } from '../../../test/notification-fixtures.js';
import { useTestDatabase } from '../../../test/test-database.js';
import { type EndpointHealth, NO_HEALTH, readEndpointHealth } from './endpoint-health.js';
import { deleteOldEndpointStats, readEndpointMetrics, STATS_PERIODS, type StatsPeriod } from './endpoint-stats.js';
import { histogramOf, latencyQuantile } from './latency-histogram.js';

const own = useTestDatabase();
afterEach(() => own.database.query('DELETE FROM notification_topics; DELETE FROM notification_endpoints'));

const PENDING = ['due', 'queued', 'sending', 'held'];
/** The columns that a delivery needs in each status. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  queued: { queued_dt: new Date() },
  sending: { lease_token: '00000000-0000-4000-8000-000000000000', lease_until_dt: new Date() },
};
const REASONS = ['gone', 'failing', 'requested'] as const;

/** The attempts of one period with the same result. `cause` is empty for successful attempts. */
interface Counts {
  readonly length: StatsPeriod;
  /** The number of periods from this period to the present period. */
  readonly ago: number;
  readonly cause: string;
  readonly latencies: readonly number[];
}

/**
 * Generates periods that are well inside or outside the last hour and day. So the result does not change while a test
 * runs.
 */
const counts: fc.Arbitrary<Counts> = fc.record({
  length: fc.constantFrom<StatsPeriod>('5m', '1h', '1d'),
  ago: fc.constantFrom(0, 1, 9, 14, 21, 26),
  cause: fc.constantFrom('', '', 'timeout', 'status'),
  latencies: fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 4 }),
});
const subscriptions = fc.record({
  disabled: fc.option(fc.record({ hour: fc.nat({ max: 9 }), reason: fc.constantFrom(...REASONS) })),
  successHour: fc.option(fc.nat({ max: 9 })),
  statuses: fc.array(fc.constantFrom(...PENDING, 'delivered', 'exhausted', 'cancelled'), { maxLength: 5 }),
});
const endpoints = fc.record({
  subscriptions: fc.array(subscriptions, { maxLength: 3 }),
  counts: fc.uniqueArray(counts, {
    maxLength: 8,
    selector: ({ length, ago, cause }) => `${length} ${ago} ${cause}`,
  }),
});
type Given = typeof endpoints extends fc.Arbitrary<infer Endpoint> ? Endpoint : never;

const momentOf = (hour: number): string => `2026-05-01T0${hour}:00:00.000Z`;

async function addEndpoint(given: Given): Promise<number> {
  const [endpoint] = await own.database.query<{ id: number }>(
    `INSERT INTO notification_endpoints (name, destination_url) VALUES ('x', 'https://receiver.example.com/') RETURNING id`,
  );
  const id = endpoint?.id ?? 0;
  for (const { disabled, successHour, statuses } of given.subscriptions) {
    const subscription = await addSubscription(own.database);
    await own.database.query(
      `UPDATE notification_subscriptions
       SET endpoint_id = $2, disabled_dt = $3, disabled_reason = $4, last_success_dt = $5 WHERE id = $1`,
      [
        subscription.id,
        id,
        disabled && momentOf(disabled.hour),
        disabled?.reason ?? null,
        successHour === null ? null : momentOf(successHour),
      ],
    );
    await addDeliveries(
      own.database,
      subscription.id,
      statuses.map((status) => ({ status, ...COLUMNS[status] })),
    );
  }
  for (const one of given.counts) await addCounts(id, one);
  return id;
}

/** The begins of all periods are computed from this one time. Otherwise a period could end between two inserts. */
const NOW_MS = Date.now();
function beginOf(length: StatsPeriod, ago: number): Date {
  const ms = STATS_PERIODS[length].seconds * 1_000;
  return new Date((Math.floor(NOW_MS / ms) - ago) * ms);
}

const addCounts = (id: number, { length, ago, cause, latencies }: Counts): Promise<unknown> =>
  own.database.query(
    `INSERT INTO notification_endpoint_stats (endpoint_id, seconds, from_dt, cause, attempts, latencies)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      STATS_PERIODS[length].seconds,
      beginOf(length, ago),
      cause,
      latencies.length,
      cause === '' ? histogramOf(latencies) : [],
    ],
  );

const total = (counted: readonly Counts[]): number => counted.reduce((sum, { latencies }) => sum + latencies.length, 0);
const delivered = (counted: readonly Counts[]): readonly Counts[] => counted.filter(({ cause }) => cause === '');
const rate = (counted: readonly Counts[]): number | null =>
  counted.length === 0 ? null : Math.floor((total(delivered(counted)) * 1_000) / total(counted)) / 1_000;

function expectedHealth(given: Given, maxBacklog: number): EndpointHealth {
  const hour = given.counts.filter(({ length, ago }) => length === '5m' && ago < 12);
  const day = given.counts.filter(({ length, ago }) => length === '1h' && ago < 24);
  const shown = delivered(hour).length > 0 ? delivered(hour) : delivered(day);
  const histogram = histogramOf(shown.flatMap(({ latencies }) => latencies));
  const successes = given.subscriptions.flatMap(({ successHour }) => (successHour === null ? [] : [successHour]));
  const disabled = given.subscriptions.flatMap((one) => (one.disabled ? [one.disabled] : []));
  const last = disabled.reduce<(typeof disabled)[number] | undefined>(
    (later, one) => (later && later.hour > one.hour ? later : one),
    undefined,
  );
  const isDisabled = disabled.length === given.subscriptions.length;
  const pending = given.subscriptions.flatMap(({ statuses }) => statuses.filter((status) => PENDING.includes(status)));
  return {
    last_success_dt: successes.length === 0 ? null : momentOf(Math.max(...successes)),
    success_rate_1h: rate(hour),
    success_rate_24h: rate(day),
    latency_p50_ms: latencyQuantile(histogram, 0.5),
    latency_p99_ms: latencyQuantile(histogram, 0.99),
    backlog: Math.min(pending.length, maxBacklog),
    disabled_dt: isDisabled && last ? momentOf(last.hour) : null,
    disabled_reason: isDisabled && last ? last.reason : null,
  };
}

const read = (ids: readonly number[], maxBacklog: number): Promise<ReadonlyMap<number, EndpointHealth>> =>
  readEndpointHealth((statement) => own.database.reading.query(statement), ids, maxBacklog);
const metricsOf = (id: number, asked: Omit<Parameters<typeof readEndpointMetrics>[1], 'endpointId'>) =>
  readEndpointMetrics((statement) => own.database.reading.query(statement), { endpointId: id, ...asked });

describe('the health of endpoints', () => {
  it('covers all subscriptions and the attempts of the last hour and day', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(endpoints, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 4, 100),
        async (given, maxBacklog) => {
          const ids: number[] = [];
          for (const one of given) ids.push(await addEndpoint(one));
          expect(Object.fromEntries(await read(ids, maxBacklog))).toEqual(
            Object.fromEntries(given.map((one, index) => [ids[index], expectedHealth(one, maxBacklog)])),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is empty for an endpoint without attempts and for a missing one', async () => {
    const id = await addEndpoint({ subscriptions: [], counts: [] });
    expect([...(await read([id, 999_999_999], 10))]).toEqual([
      [id, NO_HEALTH],
      [999_999_999, NO_HEALTH],
    ]);
    expect((await read([], 10)).size).toBe(0);
  });
});

describe('the metrics of an endpoint', () => {
  it('count the attempts of each period, oldest first, and the failures by cause', async () => {
    const at = (ago: number, cause: string, latencies: readonly number[]): Counts => ({
      length: '5m',
      ago,
      cause,
      latencies,
    });
    const given = [at(3, '', [10, 10, 5_000]), at(3, 'timeout', [1, 1]), at(3, 'status', [1]), at(1, 'status', [1])];
    const id = await addEndpoint({ subscriptions: [], counts: given });
    await addEndpoint({ subscriptions: [], counts: [at(2, '', [1])] });
    const metrics = await metricsOf(id, { period: '5m' });
    expect(metrics).toEqual([
      {
        from_dt: beginOf('5m', 3).toISOString(),
        attempts: 6,
        delivered: 3,
        failed: { status: 1, timeout: 2 },
        latency_p50_ms: latencyQuantile(histogramOf([10, 10, 5_000]), 0.5),
        latency_p99_ms: latencyQuantile(histogramOf([10, 10, 5_000]), 0.99),
      },
      {
        from_dt: beginOf('5m', 1).toISOString(),
        attempts: 1,
        delivered: 0,
        failed: { status: 1 },
        latency_p50_ms: null,
        latency_p99_ms: null,
      },
    ]);
    const all = await readEndpointMetrics((statement) => own.database.reading.query(statement), { period: '5m' });
    expect(all.map(({ attempts }) => attempts)).toEqual([6, 1, 1]);
    expect([all[0], all[2]]).toEqual(metrics);
    const [first, second] = metrics.map(({ from_dt }) => from_dt);
    expect(await metricsOf(id, { period: '5m', since: second })).toEqual(metrics.slice(1));
    expect(await metricsOf(id, { period: '5m', until: second })).toEqual(metrics.slice(0, 1));
    expect(await metricsOf(id, { period: '5m', since: first, until: second })).toEqual(metrics.slice(0, 1));
    expect(await metricsOf(id, { period: '1h' })).toEqual([]);
  });

  it('leave out periods whose storage period has ended, before and after the rows are deleted', async () => {
    const lengths = Object.keys(STATS_PERIODS) as StatsPeriod[];
    const given = lengths.flatMap((length) => {
      const { seconds, keptDays } = STATS_PERIODS[length];
      const last = (keptDays * 86_400) / seconds;
      return [last - 2, last + 1, last + 2].map((ago) => ({ length, ago, cause: '', latencies: [1] }));
    });
    const id = await addEndpoint({ subscriptions: [], counts: given });
    const shown = () => Promise.all(lengths.map(async (period) => (await metricsOf(id, { period })).length));
    expect(await shown()).toEqual([1, 1, 1]);
    expect(await deleteOldEndpointStats(own.database, 1)).toBe(3);
    expect(await deleteOldEndpointStats(own.database, 10)).toBe(3);
    expect(await deleteOldEndpointStats(own.database, 10)).toBe(0);
    expect(await shown()).toEqual([1, 1, 1]);
    expect(await own.database.query('SELECT FROM notification_endpoint_stats')).toHaveLength(3);
  });
});
