import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { movePending } from '../deliveries/pending-deliveries.js';
import { lockTopicIndex, noteTopicChange } from './topic-index-lock.js';

/** What a client writes, checked: `datapaths` is what `checkTopicExpression` found in `expression`. */
export interface TopicValues {
  readonly type: EventType;
  readonly name: string;
  readonly description: string | null;
  /** Null, empty or blank: every event of the type. */
  readonly expression: string | null;
  /** Canonical datapaths with their root, e.g. `application.user.firstname`. */
  readonly datapaths: readonly string[];
}

/** A topic as it is stored. Source: SPEC.md 2.2. */
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
  /** Grows with each change of `type` or `expression`; deliveries say by which one they were judged. */
  readonly revision: number;
}

const COLUMNS = 'id, uuid, created_dt, updated_dt, type, name, description, expression, datapaths, revision';

/** Stores a new topic. It notifies nobody until it has a subscription. */
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
  await noteTopicChange(transaction, topic.id);
  return topic;
}

/**
 * Replaces a topic. Events that are not matched yet are judged by the new expression, messages already made stay as they are.
 * With the values that it has already nothing happens.
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
     SET type = $2, name = $3, description = $4, expression = $5, datapaths = $6, revision = revision + $7, updated_dt = date_trunc('milliseconds', clock_timestamp())
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, values.type, values.name, values.description, values.expression, values.datapaths, isNewRevision ? 1 : 0],
  );
  if (!topic) throw new Error('a locked row cannot vanish');
  if (isNewRevision) await insertRevision(transaction, topic);
  await addDatapaths(transaction, topic);
  await removeUnusedDatapaths(transaction, before);
  await noteTopicChange(transaction, id);
  return topic;
}

/**
 * Deletes a topic with its subscriptions, and cancels what they have not received.
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
  await noteTopicChange(transaction, id);
  return true;
}

/** The topic as it is now, kept from changing until this transaction ends; for `If-Match`. Null when there is none. */
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

/** From now on events of the type carry what this topic asks for. */
async function addDatapaths(transaction: Transaction, topic: Topic): Promise<void> {
  await runStatement(
    transaction,
    `INSERT INTO notification_datapaths (event_type, datapath) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
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
