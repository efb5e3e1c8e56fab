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

/** The channel on which the notifier is woken, once the transaction of an event has been committed. Only a hint. */
export const EVENT_CHANNEL = 'ats_domain_events';

export interface EventToRecord {
  readonly type: EventType;
  readonly subjectId: number;
  /** Who started it: the `user` of its notifications. */
  readonly recruiterId: number;
}

/**
 * Adds an event to the outbox, in the transaction of the change, with the facts as they are at this moment: call it after
 * the change, but before a deletion. Expressions are judged on these facts and never on later data. DESIGN.md 3. It also
 * carries the id and the trace of the request that was noted for the transaction.
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
  const facts = await readDatapaths(
    (text, parameters) => runStatement(transaction, text, parameters),
    { type: root, id: event.subjectId },
    datapaths,
    settings,
  );
  if (!facts) throw new Error(`an event of type ${event.type} about an object that is not there`);
  const { requestId, traceparent } = getTransactionRequest(transaction);
  await runStatement(
    transaction,
    // The lock comes before the id is taken, and lasts until the commit: see `eventHighWaterMark`.
    `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, request_id, traceparent)
     SELECT $1, $2, $3, $4, timezone, $5, $6, $7
     FROM (SELECT timezone FROM systems ORDER BY id LIMIT 1) s, (SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.events})) locked`,
    [event.type, root, event.subjectId, event.recruiterId, JSON.stringify(facts), requestId, traceparent],
  );
  notifyAfterCommit(transaction, EVENT_CHANNEL);
}

/** The id up to which the list of events is complete, see `highWaterMark`. */
export const eventHighWaterMark = (database: Database): Promise<number> =>
  highWaterMark(database, { table: 'domain_events', lock: ADVISORY_LOCKS.events });
