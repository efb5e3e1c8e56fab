import { type Database, type ReadStatement } from '@ats/postgres';
import { LATENCY_BUCKETS, latencyQuantile, type LatencyHistogram } from './latency-histogram.js';

/**
 * The periods in which the attempts of endpoints are counted: the length of a period, and the time for which its counts
 * are stored.
 */
export const STATS_PERIODS = {
  '5m': { seconds: 300, keptDays: 2 },
  '1h': { seconds: 3_600, keptDays: 35 },
  '1d': { seconds: 86_400, keptDays: 400 },
} as const;

export type StatsPeriod = keyof typeof STATS_PERIODS;

/** SQL condition that is true when the row `s` is older than its storage period. */
const IS_OLD = (seconds: number, keptDays: number): string =>
  `s.seconds = ${seconds} AND s.from_dt < now() - interval '${keptDays} days'`;

/** SQL that deletes old rows. It skips rows that another notifier deletes at the same time. */
const DELETE_OLD = `
DELETE FROM notification_endpoint_stats WHERE ctid = ANY(ARRAY(${Object.values(STATS_PERIODS)
  .map(
    ({ seconds, keptDays }) =>
      `(SELECT s.ctid FROM notification_endpoint_stats s WHERE ${IS_OLD(seconds, keptDays)}
        ORDER BY s.from_dt LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  )
  .map((rows) => `SELECT ctid FROM (${rows}) old`)
  .join(' UNION ALL ')}))`;

/**
 * Deletes the attempt counts of endpoints whose storage period has ended.
 * @param most  the maximum number of rows to delete, for each length of period
 * @returns the number of deleted rows
 */
export async function deleteOldEndpointStats(database: Database, most: number): Promise<number> {
  return (await database.pool.query(DELETE_OLD, [most])).rowCount ?? 0;
}

/** The attempts of one endpoint, or of all endpoints, in one period, as clients read them. */
export interface EndpointMetrics {
  readonly from_dt: string;
  readonly attempts: number;
  readonly delivered: number;
  /** The number of failed attempts for each error code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Median latency in milliseconds; null when nothing was delivered. */
  readonly latency_p50_ms: number | null;
  readonly latency_p99_ms: number | null;
}

export interface MetricsRequest {
  /** The endpoint whose attempts are read. When it is absent, the attempts of all endpoints are added up. */
  readonly endpointId?: number;
  readonly period: StatsPeriod;
  /** The earliest begin of a period, inclusive. */
  readonly since?: string | undefined;
  /** The latest begin of a period, exclusive. */
  readonly until?: string | undefined;
}

interface StatsRow {
  readonly from: Date;
  readonly cause: string;
  readonly attempts: number;
  readonly latencies: LatencyHistogram;
}

type RunRead = <Row extends object>(statement: ReadStatement) => Promise<readonly Row[]>;

/** SQL that adds up the latency histograms of a group of rows. Rows of failed attempts have no histogram. */
const SUMMED_LATENCIES = `ARRAY[${Array.from(
  { length: LATENCY_BUCKETS },
  (_, index) => `coalesce(sum(latencies[${index + 1}]), 0)`,
).join(', ')}]::float8[]`;

/**
 * SQL conditions that select rows with the period length `$1` in seconds. The rows must be within their storage period
 * of `$2` days, and their period must begin from `$3` on and before `$4`.
 */
const IN_PERIODS = `seconds = $1 AND from_dt >= now() - make_interval(days => $2)
  AND from_dt >= $3::timestamptz AND from_dt < $4::timestamptz`;

const OF_ONE = `SELECT from_dt AS "from", cause, attempts, latencies FROM notification_endpoint_stats
  WHERE ${IN_PERIODS} AND endpoint_id = $5 ORDER BY from_dt, cause`;

const OF_ALL = `SELECT from_dt AS "from", cause, sum(attempts)::bigint AS attempts, ${SUMMED_LATENCIES} AS latencies
  FROM notification_endpoint_stats WHERE ${IN_PERIODS} GROUP BY from_dt, cause ORDER BY from_dt, cause`;

/**
 * Reads the attempts of an endpoint or of all endpoints, counted by period, oldest first. Periods without attempts are
 * left out.
 * Source: docs/reference/notifications.md, "Metrics of endpoints".
 */
export async function readEndpointMetrics(
  read: RunRead,
  { endpointId, period, since, until }: MetricsRequest,
): Promise<readonly EndpointMetrics[]> {
  const { seconds, keptDays } = STATS_PERIODS[period];
  const limits = [seconds, keptDays, since ?? '-infinity', until ?? 'infinity'];
  const rows = await read<StatsRow>(
    endpointId === undefined
      ? { text: OF_ALL, parameters: limits }
      : { text: OF_ONE, parameters: [...limits, endpointId] },
  );
  const byPeriod = new Map<number, StatsRow[]>();
  for (const row of rows) byPeriod.set(row.from.getTime(), [...(byPeriod.get(row.from.getTime()) ?? []), row]);
  return [...byPeriod].map(([from, ofPeriod]) => toMetrics(new Date(from), ofPeriod));
}

function toMetrics(from: Date, rows: readonly StatsRow[]): EndpointMetrics {
  const [delivered] = rows.filter(({ cause }) => cause === '');
  const failed = rows.filter(({ cause }) => cause !== '');
  const latencies = delivered?.latencies ?? [];
  return {
    from_dt: from.toISOString(),
    attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0),
    delivered: delivered?.attempts ?? 0,
    failed: Object.fromEntries(failed.map(({ cause, attempts }) => [cause, attempts])),
    latency_p50_ms: latencyQuantile(latencies, 0.5),
    latency_p99_ms: latencyQuantile(latencies, 0.99),
  };
}
