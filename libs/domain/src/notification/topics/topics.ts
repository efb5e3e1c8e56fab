import { isDeepStrictEqual } from 'node:util';
import { datapathIn, readPast } from '@ats/datapath';
import { runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { readScopesOf } from './read-scopes.js';
import { lockTopicIndex, recordTopicChange } from './topic-index-lock.js';

/**
 * The values of a topic as a client sends them, after validation. `datapaths` are those that `checkTopicExpression`
 * found in `expression`.
 */
export interface TopicValues {
  readonly type: EventType;
  readonly name: string;
  readonly description: string | null;
  /** The expression. Null, an empty or a blank text matches every event of the type. */
  readonly expression: string | null;
  /**
   * Canonical datapaths with their root, such as `application.user.firstname`, and calls such as
   * `WAS(application.rating)`.
   */
  readonly datapaths: readonly string[];
  /** The credential that owns the topic. If absent, a new topic has no owner, and an existing one keeps its owner. */
  readonly owner_id?: number | null;
}

/** A topic as it is stored. Source: docs/reference/notifications.md, "Topics". */
export interface Topic {
  readonly id: number;
  readonly uuid: string;
  readonly created_dt: Date;
  readonly updated_dt: Date;
  readonly type: EventType;
  readonly name: string;
  readonly description: string | null;
  readonly expression: string | null;
  /** The datapaths of the expression, including those in calls of CHANGED and WAS. */
  readonly datapaths: readonly string[];
  /** The texts of the calls of CHANGED and WAS in the expression, such as `WAS(application.rating)`. */
  readonly past_datapaths: readonly string[];
  /**
   * The number of the current revision. Each change of `type` or `expression` adds 1. A delivery stores the revision
   * that matched its event.
   */
  readonly revision: number;
  readonly owner_id: number | null;
}

const COLUMNS = `id, uuid, created_dt, updated_dt, type, name, description, expression, datapaths, past_datapaths,
  revision, owner_id`;

/** Stores a new topic. */
export async function createTopic(transaction: Transaction, values: TopicValues): Promise<Topic> {
  await lockTopicIndex(transaction);
  const [topic] = await runStatement<Topic>(
    transaction,
    `INSERT INTO notification_topics
       (type, name, description, expression, datapaths, past_datapaths, read_scopes, owner_id, read_scopes_revision)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1) RETURNING ${COLUMNS}`,
    [...columnsOf(values), values.owner_id ?? null],
  );
  if (!topic) throw new Error('INSERT INTO notification_topics returned no row');
  await insertRevision(transaction, topic);
  await addDatapaths(transaction, topic);
  await recordTopicChange(transaction, topic.id);
  return topic;
}

/**
 * Replaces the values of a topic. Events that are not matched yet are evaluated with the new expression. Existing
 * deliveries do not change. Nothing changes when the new values equal the old ones.
 * @returns null when there is no such topic
 */
export async function replaceTopic(transaction: Transaction, id: number, values: TopicValues): Promise<Topic | null> {
  const before = await lockTopic(transaction, id);
  if (!before) return null;
  if (hasValues(before, values)) return before;
  const isNewRevision = before.type !== values.type || before.expression !== values.expression;
  const [topic] = await runStatement<Topic>(
    transaction,
    `UPDATE notification_topics
     SET type = $2, name = $3, description = $4, expression = $5, datapaths = $6, past_datapaths = $7, read_scopes = $8,
       owner_id = $9, revision = revision + $10, read_scopes_revision = revision + $10,
       updated_dt = date_trunc('milliseconds', clock_timestamp())
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, ...columnsOf(values), ownerOf(before, values), isNewRevision ? 1 : 0],
  );
  if (!topic) throw new Error('a topic was deleted while this transaction held its lock');
  if (isNewRevision) await insertRevision(transaction, topic);
  await addDatapaths(transaction, topic);
  await removeUnusedDatapaths(transaction, before);
  await recordTopicChange(transaction, id);
  return topic;
}

/**
 * Deletes a topic with its subscriptions, and cancels their pending deliveries.
 * @returns false when there is no such topic
 */
export async function deleteTopic(transaction: Transaction, id: number): Promise<boolean> {
  const topic = await lockTopic(transaction, id);
  if (!topic) return false;
  const subscriptions = await runStatement<{ id: number }>(
    transaction,
    'DELETE FROM notification_subscriptions WHERE topic_id = $1 RETURNING id',
    [id],
  );
  await runStatement(transaction, 'DELETE FROM notification_topics WHERE id = $1', [id]);
  await movePending(
    transaction,
    subscriptions.map((subscription) => subscription.id),
    'deleted',
  );
  await removeUnusedDatapaths(transaction, topic);
  await recordTopicChange(transaction, id);
  return true;
}

/**
 * Reads a topic and locks it until the transaction ends. A caller can then compare it with `If-Match` before a write.
 * @returns null when there is no such topic
 */
export async function lockTopic(transaction: Transaction, id: number): Promise<Topic | null> {
  await lockTopicIndex(transaction);
  const [topic] = await runStatement<Topic>(
    transaction,
    `SELECT ${COLUMNS} FROM notification_topics WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return topic ?? null;
}

const ownerOf = (before: Topic, { owner_id }: TopicValues): number | null =>
  owner_id === undefined ? before.owner_id : owner_id;

/** Returns the values of the columns from `type` to `read_scopes`. */
const columnsOf = (values: TopicValues): readonly unknown[] => [
  values.type,
  values.name,
  values.description,
  values.expression,
  ...Object.values(splitDatapaths(values)),
  readScopesOf(values),
];

const hasValues = (topic: Topic, values: TopicValues): boolean =>
  Object.entries({ ...values, ...splitDatapaths(values), owner_id: ownerOf(topic, values) }).every(([name, value]) =>
    isDeepStrictEqual(value, topic[name as keyof TopicValues]),
  );

/** Separates the datapaths of an expression from the calls of CHANGED and WAS. */
const splitDatapaths = ({ datapaths }: TopicValues): Pick<Topic, 'datapaths' | 'past_datapaths'> => ({
  datapaths: [...new Set(datapaths.map(datapathIn))],
  past_datapaths: datapaths.filter((text) => readPast(text) !== undefined),
});

async function insertRevision(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_topic_revisions (topic_id, revision, type, expression, datapaths, valid_from_dt)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp())`,
    [topic.id, topic.revision, topic.type, topic.expression, topic.datapaths],
  );
}

/** Adds the topic's datapaths to the snapshots of later events of the type. */
async function addDatapaths(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_datapaths (event_type, datapath)
     SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [topic.type, topic.datapaths],
  );
  if (topic.past_datapaths.length === 0) return;
  await runStatement(
    transaction,
    `INSERT INTO notification_past_datapaths (event_type, datapath)
     SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [topic.type, topic.past_datapaths],
  );
}

async function removeUnusedDatapaths(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `DELETE FROM notification_datapaths used
     WHERE event_type = $1 AND datapath = ANY($2)
       AND NOT EXISTS (SELECT FROM notification_topics t WHERE t.type = $1 AND t.datapaths @> ARRAY[used.datapath])`,
    [topic.type, topic.datapaths],
  );
  if (topic.past_datapaths.length === 0) return;
  await runStatement(
    transaction,
    `DELETE FROM notification_past_datapaths used
     WHERE event_type = $1 AND datapath = ANY($2)
       AND NOT EXISTS (SELECT FROM notification_topics t WHERE t.type = $1 AND t.past_datapaths @> ARRAY[used.datapath])`,
    [topic.type, topic.past_datapaths],
  );
}
