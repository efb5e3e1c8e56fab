import { type EventSubject, type EventType, MESSAGE_DATAPATHS } from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';

export interface ClaimedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly subject_type: EventSubject;
  readonly subject_id: number;
  readonly recruiter_id: number;
  readonly occurred_dt: Date;
  readonly time_zone: string;
  /** `X-Request-Id` of the request that raised the event. Null when no request did. */
  readonly request_id: string | null;
  /** The trace context of the request that raised the event. Null when the request was not traced. */
  readonly traceparent: string | null;
}

/** An event with a part of its snapshot: the values that its message or the topics of its type need. */
export interface EventWithSnapshot extends ClaimedEvent {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Number of failures after which an event is quarantined, so that it does not block later events. */
export const MAX_TRIES = 5;

/**
 * Locks the oldest new events until the transaction ends. Skips events that another transaction has locked.
 * @param mark  the low-water mark of events
 */
export function claimEvents(transaction: Transaction, mark: number, limit: number): Promise<ClaimedEvent[]> {
  return runStatement(
    transaction,
    `SELECT id, type, subject_type, subject_id, recruiter_id, occurred_dt, time_zone, request_id, traceparent
     FROM domain_events
     WHERE status = 'new' AND id >= $2 AND (retry_dt IS NULL OR retry_dt <= now())
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit, mark],
  );
}

/**
 * SQL that reads snapshots. A snapshot has several kilobytes, and `|| '{}'` makes PostgreSQL unpack it once instead of
 * once for each value.
 */
const SNAPSHOTS = `
SELECT e.id, COALESCE(wanted.facts, '{}') AS facts
FROM domain_events e
CROSS JOIN LATERAL (SELECT e.facts || '{}' AS facts OFFSET 0) all_facts
CROSS JOIN LATERAL (
  SELECT jsonb_object_agg(name, all_facts.facts -> name) AS facts
  FROM (SELECT datapath AS name FROM notification_datapaths WHERE event_type = e.type
    UNION SELECT datapath FROM notification_past_datapaths WHERE event_type = e.type
    UNION SELECT unnest($2::text[])) names
  WHERE all_facts.facts ? name
) wanted
WHERE e.id = ANY($1)`;

/**
 * Reads the snapshot values of these events. The caller must hold the share lock of the topic index, so that no topic
 * can be added.
 */
export async function readSnapshots(
  transaction: Transaction,
  events: readonly ClaimedEvent[],
): Promise<EventWithSnapshot[]> {
  const rows = await runStatement<Pick<EventWithSnapshot, 'id' | 'facts'>>(transaction, SNAPSHOTS, [
    events.map(({ id }) => id),
    MESSAGE_DATAPATHS,
  ]);
  const facts = new Map(rows.map((row) => [row.id, row.facts]));
  return events.map((event) => ({ ...event, facts: facts.get(event.id) ?? {} }));
}

/**
 * Marks events as done, and stores the version of the topic index with which they were matched. The caller must hold
 * the share lock of the topic index.
 */
export async function markMatched(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE domain_events SET status = 'done', matched_dt = clock_timestamp(),
       matched_version = (SELECT version FROM notification_index_version)
     WHERE id = ANY($1)`,
    [ids],
  );
}

/**
 * Counts a failure for each event. An event is matched again after 1, 2, 3 and 4 seconds. Then it is quarantined.
 * @returns the ids of events that have just been quarantined
 */
export async function markFailed(transaction: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number; status: string }>(
    transaction,
    `UPDATE domain_events SET tries = tries + 1, retry_dt = now() + make_interval(secs => tries + 1),
       status = CASE WHEN tries + 1 >= $2 THEN 'quarantined' ELSE 'new' END
     WHERE id = ANY($1) RETURNING id, status`,
    [ids, MAX_TRIES],
  );
  return rows.filter((row) => row.status === 'quarantined').map((row) => row.id);
}

/** Stores the values that the snapshot lacked and that were read when the event was matched. Explanations need them. */
export async function insertLateValues(
  transaction: Transaction,
  eventId: number,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_late_facts (event_id, facts) VALUES ($1, $2)
     ON CONFLICT (event_id) DO UPDATE SET facts = EXCLUDED.facts, read_dt = EXCLUDED.read_dt`,
    [eventId, JSON.stringify(facts)],
  );
}
