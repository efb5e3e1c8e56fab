import { type Database } from '@ats/postgres';

/** Counting stops here: whoever is that far behind needs no exact number. */
export const COUNTED_AT_MOST = 100_000;

/** What is still to be matched with topics. */
export interface Outbox {
  /** Events that are not matched yet, 100,000 at most. */
  readonly events: number;
  /** Seconds since the oldest of them; 0 when there is none. */
  readonly oldestAge: number;
  readonly quarantined: number;
}

/** By the partial indexes over events that are new or quarantined: how many are done does not matter. */
export const OUTBOX = `
SELECT
  (SELECT count(*) FROM (SELECT FROM domain_events WHERE status = 'new' LIMIT ${COUNTED_AT_MOST}) e) AS events,
  COALESCE((SELECT GREATEST(0, extract(epoch FROM clock_timestamp() - occurred_dt))
    FROM domain_events WHERE status = 'new' ORDER BY id LIMIT 1), 0)::double precision AS "oldestAge",
  (SELECT count(*) FROM (SELECT FROM domain_events WHERE status = 'quarantined' LIMIT ${COUNTED_AT_MOST}) e) AS quarantined`;

/** What operators watch: whether notifications get out at all. */
export async function readOutbox(database: Database): Promise<Outbox> {
  const [row] = await database.counting.query<Outbox>({ text: OUTBOX, parameters: [] });
  if (!row) throw new Error('a query without a condition returned no row');
  return row;
}
