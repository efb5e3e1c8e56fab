import {
  ADVISORY_LOCKS,
  notifyAfterCommit,
  prepared,
  runPrepared,
  runStatement,
  type Transaction,
} from '@ats/postgres';
import { DatapathColumns } from '@ats/search-query';
import { ownDatapaths } from '../../facts/read-datapaths.js';
import { EVENT_ROOTS, type EventType, isWholeSnapshot } from '../../objects/event-types.js';
import { getObjectType, objectModel } from '../../objects/object-model.js';
import { formatValue, tableOf } from '../../reading/representation-sql.js';
import { EVENT_CHANNEL, recordEvents } from './record-event.js';
import { rememberedValues } from './former-values.js';
import { getTransactionRequest } from './transaction-request.js';

/** Changes of objects that raise events of one type. */
interface RecordedChanges {
  readonly type: EventType;
  readonly ids: readonly number[];
  /**
   * The recruiter who caused the changes. Null stands for the recruiter of the request, or else for the recruiter with
   * the lowest id.
   */
  readonly recruiterId: number | null;
}

const FIRST_RECRUITER = `(SELECT min(r.id) FROM users r WHERE r.type = 'recruiter')`;

/**
 * Records an event for each object that exists. When no topic of the event type uses a datapath, a single statement
 * records all events, so that such events cost little.
 */
export async function recordChanges(
  transaction: Transaction,
  { type, ids, recruiterId }: RecordedChanges,
): Promise<void> {
  if (ids.length === 0) return;
  const { client, requestId, traceparent } = getTransactionRequest(transaction);
  const causer = recruiterId ?? client?.recruiterId ?? null;
  const recorded = isWholeSnapshot(type)
    ? []
    : await runPrepared(transaction, insertStatement(type, ids.length === 1), [
        type,
        ids.length === 1 ? ids[0] : ids,
        causer,
        requestId,
        traceparent,
      ]);
  if (recorded.length > 0) notifyAfterCommit(transaction, EVENT_CHANNEL);
  else await recordWithTopics(transaction, { type, ids, recruiterId: causer });
}

type Prepared = ReturnType<typeof prepared>;

const statements = new Map<string, Prepared>();

/**
 * SQL that inserts events whose snapshots have only the stored values of their subjects. It inserts nothing when a
 * topic of the event type uses a datapath. For a change of one object, `$1` is an id in place of a list of ids: nearly
 * all changes are of this kind, and PostgreSQL then needs only two thirds of the time.
 */
function insertStatement(type: EventType, isOne: boolean): Prepared {
  const key = `${type} ${isOne}`;
  const known = statements.get(key);
  if (known !== undefined) return known;
  const table = tableOf(getObjectType(EVENT_ROOTS[type]));
  const statement = prepared(
    insertSql(
      type,
      ['$1', `coalesce($3::bigint, ${FIRST_RECRUITER})`, '$4', '$5'],
      isOne
        ? { rows: `${table} t`, condition: 't.id = $2', order: '' }
        : {
            rows: `unnest($2::bigint[]) WITH ORDINALITY AS given (id, position) JOIN ${table} t ON t.id = given.id`,
            condition: 'true',
            order: 'ORDER BY given.position',
          },
    ),
  );
  statements.set(key, statement);
  return statement;
}

interface Subjects {
  /** SQL of the FROM clause that has the rows of the subjects as `t`. */
  readonly rows: string;
  readonly condition: string;
  readonly order: string;
}

/**
 * The plan has few nodes, because starting a node takes longer than reading its row. A condition takes the lock, and
 * conditions are evaluated before the id is drawn.
 * @param values  SQL of the event type, the recruiter, the request id and the trace
 */
function insertSql(
  type: EventType,
  [typeSql, causer, requestId, traceparent]: readonly [string, string, string, string],
  { rows, condition, order }: Subjects,
): string {
  const root = EVENT_ROOTS[type];
  const columns = new DatapathColumns({ model: objectModel, root, alias: 't', settings: {}, format: formatValue });
  const facts = ownDatapaths(root).map((path) => `'${path}', ${columns.column(path.slice(root.length + 1))}`);
  return `INSERT INTO domain_events
    (type, subject_type, subject_id, recruiter_id, time_zone, facts, request_id, traceparent)
    SELECT ${typeSql}, '${root}', t.id, ${causer}, (SELECT timezone FROM systems ORDER BY id LIMIT 1),
      jsonb_build_object(${facts.join(', ')}), ${requestId}, ${traceparent}
    FROM ${rows} ${columns.joins}
    WHERE ${condition} AND ${causer} IS NOT NULL
      AND NOT EXISTS (SELECT FROM notification_datapaths WHERE event_type = ${typeSql})
      AND pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.events}) IS NOT NULL
    ${order} RETURNING id`;
}

/** An event that the statement of its change inserts. */
export interface EventInStatement {
  /**
   * SQL that inserts the event and returns its id. It reads the row of the subject from the common table expression
   * `changed`, and inserts nothing when a topic of the event type uses a datapath.
   * @param first  the number of the first of its parameters
   */
  readonly sql: (first: number) => string;
  readonly parameters: readonly unknown[];
}

/** The SQL of events in statements, by the event type and the number of the first parameter. */
const texts = new Map<string, string>();

function textInStatement(type: EventType, first: number): string {
  const key = `${type} ${first}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = insertSql(type, [`'${type}'`, `$${first}::bigint`, `$${first + 1}`, `$${first + 2}`], {
    rows: 'changed t',
    condition: 'true',
    order: '',
  });
  texts.set(key, text);
  return text;
}

/**
 * Returns SQL that inserts the event of a change together with the change, so that the event needs no statement of its
 * own. Returns undefined for event types whose snapshots have values of related objects, and for transactions without a
 * client.
 */
export function eventInStatement(transaction: Transaction, type: EventType): EventInStatement | undefined {
  const { client, requestId, traceparent } = getTransactionRequest(transaction);
  if (!client || isWholeSnapshot(type)) return undefined;
  return {
    sql: (first) => textInStatement(type, first),
    parameters: [client.recruiterId, requestId, traceparent],
  };
}

/** Deletes events that the transaction has inserted, because their objects change again. */
export async function withdrawEvents(transaction: Transaction, ids: readonly unknown[]): Promise<void> {
  await runStatement(transaction, 'DELETE FROM domain_events WHERE id = ANY($1::bigint[])', [ids]);
}

/** Records events whose snapshots also have the values that topics use. */
async function recordWithTopics(transaction: Transaction, { type, ids, recruiterId }: RecordedChanges): Promise<void> {
  const [cause] = await runStatement<{ recruiter_id: number | null; language: string; ids: number[] }>(
    transaction,
    `SELECT coalesce($2::bigint, ${FIRST_RECRUITER}) AS recruiter_id,
       (SELECT default_language FROM systems ORDER BY id LIMIT 1) AS language,
       ARRAY(SELECT id FROM ${tableOf(getObjectType(EVENT_ROOTS[type]))} WHERE id = ANY($1)) AS ids`,
    [ids, recruiterId],
  );
  // Each event names a recruiter. When the system has no recruiter, no event is recorded.
  if (!cause || cause.recruiter_id === null) return;
  const causer = cause.recruiter_id;
  const existing = new Set(cause.ids.map(Number));
  const before = rememberedValues(transaction, { root: EVENT_ROOTS[type], ids });
  const events = ids
    .filter((id) => existing.has(id))
    .map((subjectId) => ({ subjectId, recruiterId: causer, before: before.get(subjectId) }));
  const { settings = { baseUrl: '', language: cause.language } } = getTransactionRequest(transaction);
  await recordEvents(transaction, { type, events }, settings);
}
