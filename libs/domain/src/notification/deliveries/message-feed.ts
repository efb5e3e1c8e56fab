import { type ReadStatement } from '@ats/postgres';
import { datetime } from '../../vocabulary/attribute.js';
import { formatValue } from '../../reading/representation-sql.js';

/** Which messages of a subscription. */
export interface FeedRequest {
  readonly subscriptionId: number;
  /** Messages with a greater sequence; 0 is the beginning. */
  readonly after: number;
  readonly limit: number;
}

/**
 * The messages of a subscription in the order of their sequence, as JSON text `{ items, has_more }` in `body`, each with the
 * very text that is signed: held and pending ones too, test messages not. Sequences are given under the lock of the
 * subscription and become visible in their order, so that reading on after the last one misses none.
 * Source: CONTRACT.md 8 and 11.
 */
export function messageFeedStatement({ subscriptionId, after, limit }: FeedRequest): ReadStatement {
  return { text: FEED, parameters: [subscriptionId, after, limit] };
}

/** One more than asked for tells whether there are more. */
const FEED = `
SELECT '{"items":[' || coalesce(string_agg(item, ',' ORDER BY rank) FILTER (WHERE rank <= $3::integer), '')
  || '],"has_more":' || (count(*) > $3::integer)::text || '}' AS body
FROM (
  SELECT row_to_json(m)::text AS item, row_number() OVER (ORDER BY m.sequence) AS rank FROM (
    SELECT d.sequence, d.message_id, ${formatValue('d.occurred_dt', datetime()('timestamp'))} AS timestamp, d.body
    FROM notification_deliveries d WHERE d.subscription_id = $1 AND d.sequence > $2 ORDER BY d.sequence LIMIT $3::integer + 1) m) ranked`;
