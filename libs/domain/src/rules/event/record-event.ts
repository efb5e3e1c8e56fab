import {
  ADVISORY_LOCKS,
  notifyAfterCommit,
  runStatement,
  type Transaction,
  type Database,
  highWaterMark,
} from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { EVENT_ROOTS, type EventType } from '../../objects/event-types.js';
import { readDatapaths, standardDatapaths } from '../../facts/read-datapaths.js';
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
}

/**
 * Adds an event to the outbox, in the transaction of the change. Call it after the change, but before a deletion: it
 * stores a snapshot of the subject, and expressions are evaluated on that snapshot, never on later data. The event also
 * stores the id and the trace of the transaction's request.
 * @throws {Error} when the subject does not exist
 * Source: docs/reference/notifications.md, "Snapshots".
 */
export async function recordEvent(
  transaction: Transaction,
  event: EventToRecord,
  settings: ReadSettings,
): Promise<void> {
  const root = EVENT_ROOTS[event.type];
  const wanted = await runStatement<{ datapath: string }>(
    transaction,
    'SELECT datapath FROM notification_datapaths WHERE event_type = $1',
    [event.type],
  );
  const datapaths = [...new Set([...standardDatapaths(root), ...wanted.map(({ datapath }) => datapath)])];
  const snapshot = await readDatapaths(
    (text, parameters) => runStatement(transaction, text, parameters),
    { type: root, id: event.subjectId },
    datapaths,
    settings,
  );
  if (!snapshot) throw new Error(`the subject of a ${event.type} event does not exist`);
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    // The shared lock is taken before the id and held until the commit: `eventHighWaterMark` relies on it.
    `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, request_id, traceparent)
     SELECT $1, $2, $3, $4, timezone, $5, $6, $7
     FROM (SELECT timezone FROM systems ORDER BY id LIMIT 1) s,
       (SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.events})) locked`,
    [event.type, root, event.subjectId, event.recruiterId, JSON.stringify(snapshot), requestId, traceparent],
  );
  notifyAfterCommit(transaction, EVENT_CHANNEL);
}

/** The id up to which the list of events is complete, see `highWaterMark`. */
export const eventHighWaterMark = (database: Database): Promise<number> =>
  highWaterMark(database, { table: 'domain_events', lock: ADVISORY_LOCKS.events });
