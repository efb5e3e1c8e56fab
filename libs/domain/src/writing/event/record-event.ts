import {
  ADVISORY_LOCKS,
  notifyAfterCommit,
  runStatement,
  type Transaction,
  type Database,
  highWaterMark,
} from '@ats/postgres';
import { datapathIn, readPast } from '@ats/datapath';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { EVENT_ROOTS, type EventType } from '../../objects/event-types.js';
import { type DatapathValues, readDatapathsOfSubjects, snapshotDatapaths } from '../../facts/read-datapaths.js';
import { resultsOfCalls } from './former-values.js';
import { getTransactionRequest } from './transaction-request.js';

/**
 * The channel that wakes the notifier after the transaction of an event commits. A lost wake-up only delays the event,
 * because the notifier also polls.
 */
export const EVENT_CHANNEL = 'ats_domain_events';

export interface EventToRecord {
  readonly type: EventType;
  readonly subjectId: number;
  /** The recruiter who caused the event: the `user` of its messages. */
  readonly recruiterId: number;
  /** The values of the subject before the change, as `readFormerValues` read them. */
  readonly before?: DatapathValues | undefined;
}

/**
 * Adds an event to the outbox, in the transaction of the change. Call this function after a change, but before a
 * deletion, because it stores a snapshot of the subject. Expressions are evaluated on this snapshot, never on later
 * data. The event also stores the id and the trace of the request that the transaction serves.
 * @throws {Error} when the subject does not exist
 * Source: docs/reference/notifications.md, "Snapshots".
 */
export const recordEvent = (transaction: Transaction, event: EventToRecord, settings: ReadSettings): Promise<void> =>
  recordEvents(transaction, { type: event.type, events: [event] }, settings);

export interface EventsToRecord {
  readonly type: EventType;
  readonly events: readonly Omit<EventToRecord, 'type'>[];
  /** The first and the last `occurred_dt` of the subjects, when the subjects are deliveries. */
  readonly occurred?: readonly [from: Date, to: Date];
}

/**
 * Records several events like {@link recordEvent}: all of one type, each about another subject. The number of
 * statements does not depend on the number of events. The ids of the events have the order of the list.
 * @throws {Error} when a subject does not exist
 */
export async function recordEvents(
  transaction: Transaction,
  { type, events, occurred }: EventsToRecord,
  settings: ReadSettings,
): Promise<void> {
  if (events.length === 0) return;
  const root = EVENT_ROOTS[type];
  const wanted = await runStatement<{ datapath: string }>(
    transaction,
    `SELECT datapath FROM notification_datapaths WHERE event_type = $1
     UNION ALL SELECT datapath FROM notification_past_datapaths WHERE event_type = $1`,
    [type],
  );
  const calls = wanted.map(({ datapath }) => datapath).filter((text) => readPast(text) !== undefined);
  const snapshots = await readDatapathsOfSubjects(
    (text, parameters) => runStatement(transaction, text, parameters),
    { type: root, ids: events.map(({ subjectId }) => subjectId), ...(occurred && { occurred }) },
    [...new Set([...snapshotDatapaths(type), ...wanted.map(({ datapath }) => datapathIn(datapath))])],
    settings,
  );
  const facts = events.map(({ subjectId, before }) => {
    const snapshot = snapshots.get(subjectId);
    if (!snapshot)
      throw new Error(`an event of the type ${type} cannot be recorded, because its subject does not exist`);
    return JSON.stringify({ ...snapshot, ...resultsOfCalls(calls, before, snapshot) });
  });
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    // The statement takes the shared lock before it draws the ids, and holds it until the commit: `eventHighWaterMark`
    // relies on both.
    `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, request_id, traceparent)
     SELECT $1, $2, given.subject_id, given.recruiter_id, timezone, given.facts::jsonb, $6, $7
     FROM (SELECT timezone FROM systems ORDER BY id LIMIT 1) s,
       (SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.events})) locked,
       unnest($3::bigint[], $4::bigint[], $5::text[]) WITH ORDINALITY
         AS given (subject_id, recruiter_id, facts, position)
     ORDER BY given.position`,
    [
      type,
      root,
      events.map(({ subjectId }) => subjectId),
      events.map(({ recruiterId }) => recruiterId),
      facts,
      requestId,
      traceparent,
    ],
  );
  notifyAfterCommit(transaction, EVENT_CHANNEL);
}

/** The highest event id up to which all events are committed, see `highWaterMark`. */
export const eventHighWaterMark = (database: Database): Promise<number> =>
  highWaterMark(database, { table: 'domain_events', lock: ADVISORY_LOCKS.events });
