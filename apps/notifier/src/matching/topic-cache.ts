import { TopicIndex } from '@ats/datapath';
import { checkTopicExpression, type DomainModel, type EventType, modelForTexts } from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';

export interface CachedSubscription {
  readonly id: number;
  readonly uuid: string;
  /** Start of the period in milliseconds since 1970, inclusive. */
  readonly activeFrom: number;
  /** End of the period, exclusive; null for a period without end. */
  readonly end: number | null;
}

export interface CachedTopic {
  readonly id: number;
  readonly uuid: string;
  readonly type: EventType;
  readonly revision: number;
  readonly subscriptions: readonly CachedSubscription[];
}

interface TopicRow extends CachedTopic {
  readonly expression: string | null;
}

/** Reads topics with their subscriptions. Topics without a subscription are left out, because they cannot match. */
const TOPICS = `SELECT t.id, t.uuid, t.type, t.revision, t.expression, json_agg(json_build_object(
    'id', s.id, 'uuid', s.uuid,
    'activeFrom', (extract(epoch FROM s.active_from_dt) * 1000)::bigint,
    'end', (extract(epoch FROM s.end_dt) * 1000)::bigint) ORDER BY s.id) AS subscriptions
  FROM notification_topics t JOIN notification_subscriptions s ON s.topic_id = t.id`;

/**
 * Keeps all topics that have a subscription in predicate indexes, one for each event type. Every change of a topic
 * raises the version of the topic index, and the cache is updated when this version has changed. So an event is never
 * evaluated with outdated topics.
 */
export class TopicCache {
  private version: number | undefined;
  private readonly topics = new Map<number, CachedTopic>();
  private readonly indexes = new Map<EventType, TopicIndex<number>>();

  /** @param onFaultyTopic  called for a topic whose stored expression is invalid. Such a topic matches no event */
  constructor(private readonly onFaultyTopic: (topicId: number, error: unknown) => void) {}

  /**
   * Updates the cache to the state that this transaction sees. The transaction must hold the share lock of the topic
   * index.
   */
  async refresh(transaction: Transaction): Promise<void> {
    const [state] = await runStatement<{ version: number; oldest: number | null }>(
      transaction,
      `SELECT version, (SELECT min(version) FROM notification_index_changes) AS oldest FROM notification_index_version`,
    );
    if (!state || state.version === this.version) return;
    const isCovered = this.version !== undefined && state.oldest !== null && state.oldest <= this.version + 1;
    if (isCovered) await this.loadChanges(transaction, this.version ?? 0);
    else await this.loadAll(transaction);
    this.version = state.version;
  }

  topic(id: number): CachedTopic | undefined {
    return this.topics.get(id);
  }

  /** Returns the index of an event type, or undefined when the type has no topic. */
  index(type: EventType): TopicIndex<number> | undefined {
    return this.indexes.get(type);
  }

  private async loadAll(transaction: Transaction): Promise<void> {
    const rows = await runStatement<TopicRow>(transaction, `${TOPICS} GROUP BY t.id`);
    const model = await modelOf(transaction, rows);
    this.topics.clear();
    this.indexes.clear();
    for (const row of rows) this.put(row, model);
  }

  private async loadChanges(transaction: Transaction, since: number): Promise<void> {
    const changed = await runStatement<{ topic_id: number }>(
      transaction,
      'SELECT DISTINCT topic_id FROM notification_index_changes WHERE version > $1',
      [since],
    );
    const ids = changed.map((row) => row.topic_id);
    const rows = await runStatement<TopicRow>(transaction, `${TOPICS} WHERE t.id = ANY($1) GROUP BY t.id`, [ids]);
    const model = await modelOf(transaction, rows);
    for (const id of ids) this.remove(id);
    for (const row of rows) this.put(row, model);
  }

  private put({ expression, ...topic }: TopicRow, model: DomainModel): void {
    try {
      const compiled = checkTopicExpression(topic.type, expression, model);
      let index = this.indexes.get(topic.type);
      if (!index) this.indexes.set(topic.type, (index = new TopicIndex<number>()));
      index.add(topic.id, compiled);
      this.topics.set(topic.id, topic);
    } catch (error) {
      this.onFaultyTopic(topic.id, error);
    }
  }

  private remove(id: number): void {
    const topic = this.topics.get(id);
    if (!topic) return;
    this.topics.delete(id);
    this.indexes.get(topic.type)?.remove(id);
  }
}

/** Returns the object model with the form items that these topics name. */
const modelOf = (transaction: Transaction, topics: readonly TopicRow[]): Promise<DomainModel> =>
  modelForTexts(
    (text, parameters) => runStatement(transaction, text, parameters),
    topics.flatMap(({ expression }) => expression ?? []),
  );
