import { type Database } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { type EvaluatedEvent, evaluatedEventColumns, type RunRows } from './evaluated-event.js';
import { keptDeliveryDays } from '../deliveries/partitions.js';

/** How far a reconciliation has come: plain data, to be handed back as it is. */
export interface ReconciliationCursor {
  /** The last event that was checked. Null: none was yet. */
  readonly matchedDt: Date | null;
  readonly eventId: number;
  /** The last topic that it was checked against; 0: all up to the last one. */
  readonly topicId: number;
}

/** Where a matched event stands in the order of matching. */
export interface MatchedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly occurred_dt: Date;
  readonly matched_dt: Date;
  readonly matched_version: number;
}

/** What was matched a moment ago may not be committed yet. */
const SETTLED = `interval '1 minute'`;

/** The next events in the order in which they were matched. Those matched before there was a history cannot be judged again. */
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

/** The same with the facts that judging them takes. */
export const readFacts = (
  run: RunRows,
  events: readonly MatchedEvent[],
  datapaths: readonly string[],
): Promise<FullEvent[]> =>
  run<FullEvent>(
    `SELECT ${evaluatedEventColumns('$2')}, e.matched_dt, e.matched_version FROM domain_events e WHERE e.id = ANY($1)`,
    [events.map(({ id }) => id), [...new Set(datapaths)]],
  );

/** Some of the topics that ever had a subscription: those with ids above `from` and up to `to`. */
export interface TopicSlice {
  readonly from: number;
  /** Null: up to the last one. */
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

/** The deliveries that there are of these events for these topics, or for topics that nobody knows. */
export const readDeliveries = (
  run: RunRows,
  events: readonly MatchedEvent[],
  { from, to }: TopicSlice,
): Promise<{ readonly event_id: number; readonly subscription_id: number }[]> =>
  run(
    `SELECT event_id, subscription_id FROM notification_deliveries
     WHERE event_id = ANY($1) AND occurred_dt = ANY($2::timestamptz[]) AND topic_id > $3 AND ($4::bigint IS NULL OR topic_id <= $4)`,
    [events.map(({ id }) => id), events.map(({ occurred_dt }) => occurred_dt), from, to],
  );

/** Ids of the events whose deliveries are still kept. */
export async function readKept(database: Database, events: readonly MatchedEvent[]): Promise<ReadonlySet<number>> {
  const days = await keptDeliveryDays(database);
  const isKept = ({ occurred_dt }: MatchedEvent): boolean =>
    days.some(({ from, until }) => (!from || from <= occurred_dt) && occurred_dt < until);
  return new Set(events.filter(isKept).map(({ id }) => id));
}
