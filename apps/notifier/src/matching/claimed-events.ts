import { type EventSubject, type EventType, runStatement, type Transaction } from '@ats/domain';

export interface ClaimedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly subject_type: EventSubject;
  readonly subject_id: number;
  readonly recruiter_id: number;
  readonly occurred_dt: Date;
  readonly time_zone: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Of the request that raised it; null when none did. */
  readonly request_id: string | null;
}

/** After this many failures an event is set aside, so that it cannot hold up those behind it. */
export const MAX_TRIES = 5;

/** Takes the oldest events that nobody has, for the length of this transaction. */
export function claimEvents(transaction: Transaction, limit: number): Promise<ClaimedEvent[]> {
  return runStatement(
    transaction,
    `SELECT id, type, subject_type, subject_id, recruiter_id, occurred_dt, time_zone, facts, request_id FROM domain_events
     WHERE status = 'new' AND (retry_dt IS NULL OR retry_dt <= now())
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
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
