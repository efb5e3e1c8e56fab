import { type Database } from '@ats/postgres';
import { LATENCY_WEIGHT, maxInFlight, SUCCESSES_FOR_ONE_MORE } from './finish-sql.js';

export interface CountedSuccess {
  readonly subscriptionId: number;
  readonly durationMs: number;
  readonly finished: Date;
}

/**
 * Successes of one subscription that are not written yet. The new average latency of the subscription is `average *
 * kept + added`.
 */
interface Tally {
  readonly successes: number;
  readonly lastSuccess: Date;
  /** The first average latency of a subscription that had no average before. */
  readonly firstMs: number;
  readonly kept: number;
  readonly added: number;
}

/**
 * SQL that adds successes to the counters of subscriptions. It changes neither the number of failures nor a reduced
 * concurrency limit, because both are newer than the successes. It locks subscriptions in the order of their ids, like
 * all other statements.
 */
const COUNT_SUCCESSES = `
WITH locked AS MATERIALIZED (
  SELECT id FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
)
UPDATE notification_subscriptions s SET
  last_success_dt = GREATEST(s.last_success_dt, tally.last_success),
  average_latency_ms = round(COALESCE(s.average_latency_ms, tally.first_ms) * tally.kept + tally.added),
  limit_successes = CASE WHEN s.in_flight_limit < ${maxInFlight('s')} THEN s.limit_successes
    ELSE LEAST(s.limit_successes + tally.successes, ${SUCCESSES_FOR_ONE_MORE}) END
FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::numeric[], $5::numeric[], $6::numeric[])
  AS tally (id, successes, last_success, first_ms, kept, added)
CROSS JOIN (SELECT count(*) FROM locked) AS all_locked
WHERE s.id = tally.id AND s.id = ANY($1)`;

/**
 * Collects the successes of subscriptions in memory. One statement each second writes them, instead of one for each
 * batch of results. A killed process loses the successes of its last second, but no deliveries.
 */
export class SuccessCounters {
  private tallies = new Map<number, Tally>();

  constructor(private readonly database: Database) {}

  /** Adds the successes of one batch of results. */
  add(successes: readonly CountedSuccess[]): void {
    const bySubscription = new Map<number, CountedSuccess[]>();
    for (const success of successes) {
      const others = bySubscription.get(success.subscriptionId);
      if (others) others.push(success);
      else bySubscription.set(success.subscriptionId, [success]);
    }
    for (const [id, ofOne] of bySubscription) this.merge(id, tallyOf(ofOne));
  }

  /** Writes all collected successes. After a failure, the next call writes them. */
  async write(): Promise<void> {
    if (this.tallies.size === 0) return;
    const written = this.tallies;
    this.tallies = new Map();
    try {
      await this.database.query(COUNT_SUCCESSES, toParameters(written));
    } catch (error) {
      const newer = this.tallies;
      this.tallies = written;
      for (const [id, tally] of newer) this.merge(id, tally);
      throw error;
    }
  }

  private merge(id: number, newer: Tally): void {
    const older = this.tallies.get(id);
    this.tallies.set(id, older ? joined(older, newer) : newer);
  }
}

function tallyOf(successes: readonly CountedSuccess[]): Tally {
  const averageMs = successes.reduce((sum, { durationMs }) => sum + durationMs, 0) / successes.length;
  return {
    successes: successes.length,
    lastSuccess: successes.map(({ finished }) => finished).reduce(later),
    firstMs: averageMs,
    kept: 1 - LATENCY_WEIGHT,
    added: averageMs * LATENCY_WEIGHT,
  };
}

const joined = (older: Tally, newer: Tally): Tally => ({
  successes: older.successes + newer.successes,
  lastSuccess: later(older.lastSuccess, newer.lastSuccess),
  firstMs: older.firstMs,
  kept: older.kept * newer.kept,
  added: older.added * newer.kept + newer.added,
});

const later = (a: Date, b: Date): Date => (a > b ? a : b);

const toParameters = (tallies: ReadonlyMap<number, Tally>): readonly unknown[] => {
  const values = [...tallies.values()];
  return [
    [...tallies.keys()],
    values.map(({ successes }) => successes),
    values.map(({ lastSuccess }) => lastSuccess),
    values.map(({ firstMs }) => firstMs),
    values.map(({ kept }) => kept),
    values.map(({ added }) => added),
  ];
};
