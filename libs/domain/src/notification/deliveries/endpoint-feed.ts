import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { datetime } from '../../vocabulary/attribute.js';
import { formatValue } from '../../reading/representation-sql.js';

/** One message in the feed of an endpoint, as clients read it. */
export interface EndpointMessage {
  readonly position: number;
  readonly subscription_id: number;
  /** The type of the event. When the event is no longer stored, the type of the topic. */
  readonly type: EventType;
  readonly sequence: number;
  readonly message_id: string;
  readonly timestamp: string;
  /** The exact text of the message. Its signature is made from this text. */
  readonly body: string;
}

export interface EndpointFeedRequest {
  readonly endpointId: number;
  /** The position after which reading begins; 0 reads from the beginning. */
  readonly after: number;
  readonly limit: number;
  /** The subscriptions whose messages the client may read. */
  readonly subscriptionIds: readonly number[];
}

export interface EndpointFeedPage {
  readonly messages: readonly EndpointMessage[];
  readonly hasMore: boolean;
}

/**
 * Maximum number of messages that get a position in one transaction. It is larger than a page, so that every page can
 * be full.
 */
const PUBLISHED_AT_ONCE = 5_000;

/**
 * SQL that locks the feed, so that only one transaction at a time assigns positions. The statements after it see
 * everything that earlier transactions have written.
 */
const LOCK_FEED = `INSERT INTO notification_endpoint_feeds (endpoint_id) VALUES ($1)
  ON CONFLICT (endpoint_id) DO UPDATE SET endpoint_id = EXCLUDED.endpoint_id`;

/**
 * SQL that assigns positions to the messages that have none. A mark stores for each subscription the last sequence
 * whose message has a position. Sequences become visible in order and without gaps, so no message can appear later with
 * a sequence at or below the mark. Messages get positions in the order of their delivery ids, which keeps the order of
 * the sequences.
 */
const PUBLISH = `
WITH behind AS MATERIALIZED (
  SELECT s.id, s.last_sequence, COALESCE(m.sequence, 0) AS mark FROM notification_subscriptions s
  LEFT JOIN notification_endpoint_marks m ON m.endpoint_id = s.endpoint_id AND m.subscription_id = s.id
  WHERE s.endpoint_id = $1 AND s.last_sequence > COALESCE(m.sequence, 0)
), found AS MATERIALIZED (
  SELECT d.* FROM behind b CROSS JOIN LATERAL (
    SELECT d.id, d.occurred_dt, d.subscription_id, d.sequence FROM notification_deliveries d
    WHERE d.subscription_id = b.id AND d.sequence > b.mark AND d.sequence <= b.last_sequence
    ORDER BY d.sequence LIMIT $2::integer) d
  ORDER BY d.id LIMIT $2::integer
), placed AS (
  INSERT INTO notification_endpoint_messages (endpoint_id, position, subscription_id, delivery_id, occurred_dt)
  SELECT $1, f.last_position + row_number() OVER (ORDER BY found.id), subscription_id, id, occurred_dt
  FROM found CROSS JOIN notification_endpoint_feeds f WHERE f.endpoint_id = $1
), fed AS (
  UPDATE notification_endpoint_feeds SET last_position = last_position + (SELECT count(*) FROM found)
  WHERE endpoint_id = $1
), marked AS (
  INSERT INTO notification_endpoint_marks (endpoint_id, subscription_id, sequence)
  SELECT $1, b.id, CASE WHEN (SELECT count(*) FROM found) < $2::integer THEN b.last_sequence
    ELSE GREATEST(b.mark, (SELECT max(sequence) FROM found WHERE subscription_id = b.id)) END
  FROM behind b
  ON CONFLICT (endpoint_id, subscription_id) DO UPDATE SET sequence = EXCLUDED.sequence
)
SELECT count(*)::integer AS amount FROM found`;

const IS_BEHIND = `EXISTS (
  SELECT FROM notification_subscriptions s
  LEFT JOIN notification_endpoint_marks m ON m.endpoint_id = s.endpoint_id AND m.subscription_id = s.id
  WHERE s.endpoint_id = e.id AND s.last_sequence > COALESCE(m.sequence, 0))`;

const TIMESTAMP = formatValue('d.occurred_dt', datetime()('timestamp'));
const MESSAGES = `SELECT m.position, m.subscription_id, COALESCE(
    (SELECT e.type FROM domain_events e WHERE e.id = d.event_id), t.type) AS type, d.sequence, d.message_id,
  ${TIMESTAMP} AS timestamp, d.body
FROM notification_endpoint_messages m
JOIN notification_deliveries d ON d.id = m.delivery_id AND d.occurred_dt = m.occurred_dt
JOIN notification_topics t ON t.id = d.topic_id
WHERE m.endpoint_id = $1 AND m.position > $2 AND m.subscription_id = ANY($3)
ORDER BY m.position LIMIT $4::integer + 1`;

/**
 * Reads the messages of all subscriptions of an endpoint in the order of their positions. Assigns positions to new
 * messages first. A client that continues after the last position that it has read misses no message.
 * Source: docs/reference/notifications.md, "Feed of an endpoint".
 */
export async function readEndpointFeed(
  database: Database,
  { endpointId, after, limit, subscriptionIds }: EndpointFeedRequest,
): Promise<EndpointFeedPage> {
  const isBehind = (await feedStates(database, [endpointId])).get(endpointId)?.isBehind ?? false;
  const placed = isBehind ? await database.transaction((transaction) => publish(transaction, endpointId)) : 0;
  const found = await database.query<EndpointMessage>(MESSAGES, [endpointId, after, subscriptionIds, limit]);
  return { messages: found.slice(0, limit), hasMore: found.length > limit || placed === PUBLISHED_AT_ONCE };
}

/**
 * Stores the position up to which a client has processed the messages of an endpoint without a destination. The backlog
 * no longer counts these messages. A position below the stored one changes nothing.
 */
export async function acknowledgePosition(database: Database, endpointId: number, position: number): Promise<void> {
  if (position > 0) await database.query(ACKNOWLEDGE, [endpointId, position]);
}

const ACKNOWLEDGE = `
UPDATE notification_endpoint_feeds f SET acknowledged_position = LEAST($2, f.last_position)
FROM notification_endpoints e
WHERE f.endpoint_id = $1 AND f.acknowledged_position < LEAST($2, f.last_position)
  AND e.id = f.endpoint_id AND e.destination_url IS NULL`;

async function publish(transaction: Transaction, endpointId: number): Promise<number> {
  await runStatement(transaction, LOCK_FEED, [endpointId]);
  const [row] = await runStatement<{ amount: number }>(transaction, PUBLISH, [endpointId, PUBLISHED_AT_ONCE]);
  return row?.amount ?? 0;
}

export interface EndpointFeedState {
  /** The position of the last message that has a position. */
  readonly last: number;
  /** True when the endpoint has messages without a position. */
  readonly isBehind: boolean;
}

/** Maps the id of each endpoint to the state of its feed. Leaves out endpoints that do not exist. */
export async function feedStates(
  database: Database,
  endpointIds: readonly number[],
): Promise<ReadonlyMap<number, EndpointFeedState>> {
  const rows = await database.query<EndpointFeedState & { readonly id: number }>(
    `SELECT e.id, COALESCE(f.last_position, 0) AS last, ${IS_BEHIND} AS "isBehind"
     FROM notification_endpoints e LEFT JOIN notification_endpoint_feeds f ON f.endpoint_id = e.id
     WHERE e.id = ANY($1)`,
    [endpointIds],
  );
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/**
 * Deletes the positions of messages whose deliveries are no longer stored, the oldest first.
 * @returns the number of deleted positions; call it again while the result equals `most`
 */
export async function deleteOldPositions(database: Database, keepDays: number, most: number): Promise<number> {
  const [row] = await database.query<{ amount: number }>(
    `WITH old AS (
       SELECT m.endpoint_id, m.position FROM notification_endpoint_messages m
       WHERE m.occurred_dt < clock_timestamp() - make_interval(days => $1) AND NOT EXISTS (
         SELECT FROM notification_deliveries d WHERE d.id = m.delivery_id AND d.occurred_dt = m.occurred_dt)
       ORDER BY m.occurred_dt LIMIT $2
     ), gone AS (
       DELETE FROM notification_endpoint_messages m USING old
       WHERE m.endpoint_id = old.endpoint_id AND m.position = old.position RETURNING 1
     )
     SELECT count(*)::integer AS amount FROM gone`,
    [keepDays, most],
  );
  return row?.amount ?? 0;
}
