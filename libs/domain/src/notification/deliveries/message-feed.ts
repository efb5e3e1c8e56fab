import { boundedRows } from '../../reading/json-text.js';
import { type ReadStatement } from '@ats/postgres';
import { datetime } from '../../vocabulary/attribute.js';
import { formatValue } from '../../reading/representation-sql.js';

/** The part of a subscription's messages that a client reads. */
export interface FeedRequest {
  readonly subscriptionId: number;
  /** The sequence after which reading begins; 0 reads from the beginning. */
  readonly after: number;
  readonly limit: number;
}

/**
 * Makes the statement that reads a subscription's messages in the order of their sequences. The column `body` has the
 * JSON text `{ items, has_more }`, and each item has the exact text that is signed. The feed includes held and pending
 * messages, but no test messages. Sequences are assigned under the lock of the subscription and become visible in
 * order. So a client that continues after the last sequence that it has read misses no message.
 * Source: docs/reference/notifications.md, "Message feed".
 */
export function messageFeedStatement({ subscriptionId, after, limit }: FeedRequest): ReadStatement {
  return { text: FEED, parameters: [subscriptionId, after, limit] };
}

/** SQL for the messages of a page. It reads one more row than the limit; that row shows that further messages exist. */
const MESSAGES = `SELECT row_to_json(m)::text AS text, m.sequence FROM (
    SELECT d.sequence, d.message_id, ${formatValue('d.occurred_dt', datetime()('timestamp'))} AS timestamp, d.body
    FROM notification_deliveries d WHERE d.subscription_id = $1 AND d.sequence > $2
    ORDER BY d.sequence LIMIT $3::integer + 1) m`;

const FEED = `
SELECT '{"items":[' || coalesce(string_agg(item, ',' ORDER BY rank) FILTER (WHERE rank <= $3::integer), '')
  || '],"has_more":' || (count(*) > $3::integer)::text || '}' AS body
FROM (
  SELECT b.text AS item, row_number() OVER (ORDER BY b.sequence) AS rank
  FROM (${boundedRows(MESSAGES, ['sequence'])}) b) ranked`;
