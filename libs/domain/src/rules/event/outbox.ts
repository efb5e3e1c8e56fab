import { type Database } from '@ats/postgres';

/** Counting stops at this number to limit its cost. Operators need no exact number above it. */
export const COUNTED_AT_MOST = 100_000;

/** The size and age of the events that are not matched with topics yet. */
export interface Outbox {
  /** The number of events with status `new`, at most {@link COUNTED_AT_MOST}. */
  readonly events: number;
  /** Seconds since the oldest new event occurred; 0 when there is none. */
  readonly oldestAge: number;
  /** The number of quarantined events, at most {@link COUNTED_AT_MOST}. */
  readonly quarantined: number;
}

/**
 * SQL that uses only the partial indexes of new and quarantined events. Its cost does not grow with the number of
 * matched events.
 */
export const OUTBOX = `
SELECT
  (SELECT count(*) FROM (SELECT FROM domain_events WHERE status = 'new' LIMIT ${COUNTED_AT_MOST}) e) AS events,
  COALESCE((SELECT GREATEST(0, extract(epoch FROM clock_timestamp() - occurred_dt))
    FROM domain_events WHERE status = 'new' ORDER BY id LIMIT 1), 0)::double precision AS "oldestAge",
  (SELECT count(*) FROM (
    SELECT FROM domain_events WHERE status = 'quarantined' LIMIT ${COUNTED_AT_MOST}) e) AS quarantined`;

/** Reads the size and age of the outbox for operators. */
export async function readOutbox(database: Database): Promise<Outbox> {
  const [row] = await database.counting.query<Outbox>({ text: OUTBOX, parameters: [] });
  if (!row) throw new Error('the query that counts the events of the outbox returned no row');
  return row;
}
