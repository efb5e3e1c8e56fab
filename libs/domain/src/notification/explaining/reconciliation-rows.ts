import { type Database } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { type EvaluatedEvent, evaluatedEventColumns, type RunRows } from './evaluated-event.js';
import { keptDeliveryDays } from '../deliveries/partitions.js';

/** The position of a reconciliation. Pass it unchanged to the next step. */
export interface ReconciliationCursor {
  /** The time at which the last checked event was matched; null before the first step. */
  readonly matchedDt: Date | null;
  readonly eventId: number;
  /** The last topic that the events were compared with. 0 when they were compared with all topics. */
  readonly topicId: number;
}

/** A matched event with its position in the order of matching. */
export interface MatchedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly occurred_dt: Date;
  readonly matched_dt: Date;
  readonly matched_version: number;
}

/**
 * The reconciliation skips events that were matched within the last minute. Other transactions may have matched events
 * in the same minute without having committed yet.
 */
const SETTLED = `interval '1 minute'`;

/**
 * Reads the next events in the order of matching. It leaves out events that were matched before versions of the topic
 * index existed, because the topics that were in force at that time are not known.
 */
export const readMatchedEvents = (
  run: RunRows,
  after: ReconciliationCursor | null,
  limit: number,
): Promise<MatchedEvent[]> =>
  run<MatchedEvent>(
    `SELECT id, type, occurred_dt, matched_dt, matched_version FROM domain_events
     WHERE status = 'done' AND (matched_dt, id) > (COALESCE($1, '-infinity'::timestamptz), $2)
       AND matched_dt < clock_timestamp() - ${SETTLED} AND matched_version IS NOT NULL
     ORDER BY matched_dt, id LIMIT $3`,
    [after?.matchedDt ?? null, after?.eventId ?? 0, limit],
  );

export type FullEvent = EvaluatedEvent & MatchedEvent;

/** Reads the events with the values that their evaluation needs. */
export const readFullEvents = (
  run: RunRows,
  events: readonly MatchedEvent[],
  datapaths: readonly string[],
): Promise<FullEvent[]> =>
  run<FullEvent>(
    `SELECT ${evaluatedEventColumns('$2')}, e.matched_dt, e.matched_version FROM domain_events e WHERE e.id = ANY($1)`,
    [events.map(({ id }) => id), [...new Set(datapaths)]],
  );

/** A part of the topics that ever had a subscription: the topics with ids greater than `from` and at most `to`. */
export interface TopicSlice {
  readonly from: number;
  /** The highest topic id of the part. Null when the part includes the last topic. */
  readonly to: number | null;
  readonly ids: readonly number[];
}

export async function readTopicSlice(run: RunRows, from: number, limit: number): Promise<TopicSlice> {
  const rows = await run<{ topic_id: number }>(
    'SELECT DISTINCT topic_id FROM notification_subscription_revisions WHERE topic_id > $1 ORDER BY topic_id LIMIT $2',
    [from, limit],
  );
  const ids = rows.map(({ topic_id }) => topic_id);
  return { from, to: ids.length < limit ? null : (ids.at(-1) ?? null), ids };
}

/**
 * Reads the stored deliveries of these events to subscriptions of all topics in the id range, including deleted topics.
 */
export const readDeliveries = (
  run: RunRows,
  events: readonly MatchedEvent[],
  { from, to }: TopicSlice,
): Promise<{ readonly event_id: number; readonly subscription_id: number }[]> =>
  run(
    `SELECT event_id, subscription_id FROM notification_deliveries
     WHERE event_id = ANY($1) AND occurred_dt = ANY($2::timestamptz[])
       AND topic_id > $3 AND ($4::bigint IS NULL OR topic_id <= $4)`,
    [events.map(({ id }) => id), events.map(({ occurred_dt }) => occurred_dt), from, to],
  );

/** Returns the ids of the events whose deliveries are still stored. */
export async function readKept(database: Database, events: readonly MatchedEvent[]): Promise<ReadonlySet<number>> {
  const days = await keptDeliveryDays(database);
  const isKept = ({ occurred_dt }: MatchedEvent): boolean =>
    days.some(({ from, until }) => (!from || from <= occurred_dt) && occurred_dt < until);
  return new Set(events.filter(isKept).map(({ id }) => id));
}
