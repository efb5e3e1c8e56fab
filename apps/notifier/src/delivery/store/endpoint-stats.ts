import { addHistograms, histogramOf, type LatencyHistogram, STATS_PERIODS } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type AttemptOutcome } from '../http/attempt-outcome.js';
import { type ClaimedDelivery } from './claimed-deliveries.js';

/** The properties of an attempt that decide how it is counted. */
export type CountedDelivery = Pick<ClaimedDelivery, 'endpoint_id' | 'reason' | 'claimed_dt'>;
export type CountedOutcome = Pick<AttemptOutcome, 'error' | 'isOwnError' | 'durationMs'>;

interface Tally {
  readonly endpointId: number;
  readonly seconds: number;
  readonly from: Date;
  readonly cause: string;
  readonly attempts: number;
  /** Latencies of successful attempts. Empty for failed ones. */
  readonly latencies: LatencyHistogram;
}

/**
 * SQL that adds the counts of this notifier to the stored counts, in the order of the primary key, so that two
 * notifiers cannot deadlock. It locks the rows of the endpoints against deletion. It leaves out endpoints that are
 * being deleted: a wait for the end of the deletion could deadlock with a transaction that deletes several endpoints.
 */
const WRITE = `
WITH endpoint AS MATERIALIZED (
  SELECT id FROM notification_endpoints WHERE id = ANY($1) FOR KEY SHARE SKIP LOCKED
)
INSERT INTO notification_endpoint_stats AS s (endpoint_id, seconds, from_dt, cause, attempts, latencies)
SELECT t.endpoint_id, t.seconds, t.from_dt, t.cause, t.attempts, t.latencies::integer[]
FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::text[], $5::bigint[], $6::text[])
  AS t (endpoint_id, seconds, from_dt, cause, attempts, latencies)
JOIN endpoint e ON e.id = t.endpoint_id
ORDER BY t.endpoint_id, t.seconds, t.from_dt, t.cause
ON CONFLICT (endpoint_id, seconds, from_dt, cause) DO UPDATE SET
  attempts = s.attempts + EXCLUDED.attempts,
  latencies = ARRAY(SELECT COALESCE(a, 0) + COALESCE(b, 0)
    FROM unnest(s.latencies, EXCLUDED.latencies) WITH ORDINALITY AS l (a, b, nr) ORDER BY nr)`;

/**
 * Counts the attempts of endpoints in memory, so that one statement can write many counts. A killed process loses the
 * counts since the last write, but no deliveries.
 */
export class EndpointStats {
  private tallies = new Map<string, Tally>();

  constructor(private readonly database: Database) {}

  /** Counts an attempt. Attempts of test messages, and attempts with an error inside the notifier, are not counted. */
  add({ endpoint_id: endpointId, reason, claimed_dt: started }: CountedDelivery, outcome: CountedOutcome): void {
    const { error, isOwnError, durationMs } = outcome;
    if (isOwnError || reason === 'ping') return;
    const latencies = error === null ? histogramOf([durationMs]) : [];
    // This time derives from the clock of the database, because the clocks of notifiers may differ.
    const finished = started.getTime() + durationMs;
    for (const { seconds } of Object.values(STATS_PERIODS)) {
      const from = new Date(Math.floor(finished / (seconds * 1_000)) * seconds * 1_000);
      this.merge({ endpointId, seconds, from, cause: error ?? '', attempts: 1, latencies });
    }
  }

  /** Writes all counts. After a failure, the next call writes them. */
  async write(): Promise<void> {
    const written = this.tallies;
    if (written.size === 0) return;
    this.tallies = new Map();
    const rows = [...written.values()];
    try {
      await this.database.query(WRITE, [
        rows.map(({ endpointId }) => endpointId),
        rows.map(({ seconds }) => seconds),
        rows.map(({ from }) => from),
        rows.map(({ cause }) => cause),
        rows.map(({ attempts }) => attempts),
        rows.map(({ latencies }) => `{${latencies.join(',')}}`),
      ]);
    } catch (error) {
      for (const tally of rows) this.merge(tally);
      throw error;
    }
  }

  private merge(tally: Tally): void {
    const key = `${tally.endpointId} ${tally.seconds} ${tally.from.getTime()} ${tally.cause}`;
    const before = this.tallies.get(key);
    this.tallies.set(
      key,
      before
        ? {
            ...tally,
            attempts: before.attempts + tally.attempts,
            latencies: addHistograms(before.latencies, tally.latencies),
          }
        : tally,
    );
  }
}
