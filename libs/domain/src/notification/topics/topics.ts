import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { lockTopicIndex, recordTopicChange } from './topic-index-lock.js';

/** The validated values of a client. `datapaths` are those that `checkTopicExpression` found in `expression`. */
export interface TopicValues {
  readonly type: EventType;
  readonly name: string;
  readonly description: string | null;
  /** The expression. Null, an empty or a blank text matches every event of the type. */
  readonly expression: string | null;
  /** Canonical datapaths with their root, such as `application.user.firstname`. */
  readonly datapaths: readonly string[];
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
  readonly datapaths: readonly string[];
  /**
   * The number of the current revision. Each change of `type` or `expression` adds 1. Deliveries store the revision
   * that matched.
   */
  readonly revision: number;
}

const COLUMNS = 'id, uuid, created_dt, updated_dt, type, name, description, expression, datapaths, revision';

/** Stores a new topic. */
export async function createTopic(transaction: Transaction, values: TopicValues): Promise<Topic> {
  await lockTopicIndex(transaction);
  const [topic] = await runStatement<Topic>(
    transaction,
    `INSERT INTO notification_topics (type, name, description, expression, datapaths)
     VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [values.type, values.name, values.description, values.expression, values.datapaths],
  );
  if (!topic) throw new Error('an insert returned no row');
  await insertRevision(transaction, topic);
  await addDatapaths(transaction, topic);
  await recordTopicChange(transaction, topic.id);
  return topic;
}

/**
 * Replaces a topic. Events that are not matched yet are evaluated with the new expression. Existing deliveries do not
 * change. Nothing changes when the new values equal the old ones.
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
     SET type = $2, name = $3, description = $4, expression = $5, datapaths = $6, revision = revision + $7,
       updated_dt = date_trunc('milliseconds', clock_timestamp())
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, values.type, values.name, values.description, values.expression, values.datapaths, isNewRevision ? 1 : 0],
  );
  if (!topic) throw new Error('a locked row no longer exists');
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
 * Reads a topic and locks it until the transaction ends, for example to compare it with `If-Match` before a write.
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

const hasValues = (topic: Topic, values: TopicValues): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(value, topic[name as keyof TopicValues]));

async function insertRevision(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_topic_revisions (topic_id, revision, type, expression, datapaths, valid_from_dt)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp())`,
    [topic.id, topic.revision, topic.type, topic.expression, topic.datapaths],
  );
}

/** Makes the snapshots of later events of the type include the topic's datapaths. */
async function addDatapaths(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_datapaths (event_type, datapath)
     SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [topic.type, topic.datapaths],
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
}
