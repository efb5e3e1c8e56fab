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
  /** Of the request that raised it; null when none did. */
  readonly request_id: string | null;
  /** The trace that it goes on with; null when none was collected. */
  readonly traceparent: string | null;
}

/** An event with those of its facts that a topic of its type asks for, or its messages. */
export interface EventWithFacts extends ClaimedEvent {
  readonly facts: Readonly<Record<string, unknown>>;
}

/** After this many failures an event is set aside, so that it cannot hold up those behind it. */
export const MAX_TRIES = 5;

/** Takes the oldest events that nobody has, for the length of this transaction. */
export function claimEvents(transaction: Transaction, limit: number): Promise<ClaimedEvent[]> {
  return runStatement(
    transaction,
    `SELECT id, type, subject_type, subject_id, recruiter_id, occurred_dt, time_zone, request_id, traceparent FROM domain_events
     WHERE status = 'new' AND (retry_dt IS NULL OR retry_dt <= now())
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

/** Taken out of some kilobytes that each event carries; `|| '{}'` has PostgreSQL unpack them once instead of for each value. */
const FACTS = `
SELECT e.id, COALESCE(wanted.facts, '{}') AS facts
FROM domain_events e
CROSS JOIN LATERAL (SELECT e.facts || '{}' AS facts OFFSET 0) all_facts
CROSS JOIN LATERAL (
  SELECT jsonb_object_agg(name, all_facts.facts -> name) AS facts
  FROM (SELECT datapath AS name FROM notification_datapaths WHERE event_type = e.type UNION SELECT unnest($2::text[])) names
  WHERE all_facts.facts ? name
) wanted
WHERE e.id = ANY($1)`;

/** Reads what these events are judged on. The topic index must be held in share, so that no topic asks for more. */
export async function readFacts(transaction: Transaction, events: readonly ClaimedEvent[]): Promise<EventWithFacts[]> {
  const rows = await runStatement<Pick<EventWithFacts, 'id' | 'facts'>>(transaction, FACTS, [
    events.map(({ id }) => id),
    MESSAGE_DATAPATHS,
  ]);
  const facts = new Map(rows.map((row) => [row.id, row.facts]));
  return events.map((event) => ({ ...event, facts: facts.get(event.id) ?? {} }));
}

/** With the state of the topics that they were judged by, which the topic index held in share keeps from changing. */
export async function markMatched(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE domain_events SET status = 'done', matched_dt = clock_timestamp(),
       matched_version = (SELECT version FROM notification_index_version)
     WHERE id = ANY($1)`,
    [ids],
  );
}

/** Counts a failure of each: tried again after 1, 2, 3 and 4 seconds, then quarantined. @returns those now quarantined */
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
