import { TopicIndex } from '@ats/datapath';
import { checkTopicExpression, type DomainModel, type EventType, modelForTexts } from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';

export interface CachedSubscription {
  readonly id: number;
  readonly uuid: string;
  /** Milliseconds since 1970; the window is [activeFrom, end). */
  readonly activeFrom: number;
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

/** Topics with their subscriptions as the matcher needs them; those without a subscription cannot match. */
const TOPICS = `SELECT t.id, t.uuid, t.type, t.revision, t.expression, json_agg(json_build_object(
    'id', s.id, 'uuid', s.uuid,
    'activeFrom', (extract(epoch FROM s.active_from_dt) * 1000)::bigint,
    'end', (extract(epoch FROM s.end_dt) * 1000)::bigint) ORDER BY s.id) AS subscriptions
  FROM notification_topics t JOIN notification_subscriptions s ON s.topic_id = t.id`;

/**
 * Every topic that has a subscription, indexed by what it asks for. It follows the database by the version that each write
 * takes, never by time, so an event is never judged by an older state than the one in force when it was claimed.
 */
export class TopicCache {
  private version: number | undefined;
  private readonly topics = new Map<number, CachedTopic>();
  private readonly indexes = new Map<EventType, TopicIndex<number>>();

  /** @param onFaultyTopic told of a topic whose stored expression no longer fits the object model; it matches nothing */
  constructor(private readonly onFaultyTopic: (topicId: number, error: unknown) => void) {}

  /** Brings the cache to the state of this transaction, which must hold the topic index in share. */
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

  /** The index of one event type, absent when it has no topic. */
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

/** The object model with the form items that these topics name. */
const modelOf = (transaction: Transaction, topics: readonly TopicRow[]): Promise<DomainModel> =>
  modelForTexts(
    (text, parameters) => runStatement(transaction, text, parameters),
    topics.flatMap(({ expression }) => expression ?? []),
  );
