import { text, type NamedAttribute } from '../vocabulary/attribute.js';
import { API_PREFIX, resourceUrl } from '../vocabulary/resource-url.js';

/** Returns the absolute URL of a subscription. */
export function subscriptionUrl(baseUrl: string, topicId: number, subscriptionId: number): string {
  return `${resourceUrl(baseUrl, 'notification_topics', topicId)}/subscriptions/${subscriptionId}`;
}

/**
 * An attribute with the absolute URL of a delivery or redelivery. The row must have the ids of its topic and its
 * subscription.
 */
export const belowSubscription = (collection: 'deliveries' | 'redeliveries'): NamedAttribute =>
  text({
    shown: true,
    format: 'uri',
    computed: {
      sql: (alias, { baseUrl }) =>
        [
          `${baseUrl} || '${API_PREFIX}/notification_topics/' || ${alias}.topic_id`,
          `'/subscriptions/' || ${alias}.subscription_id || '/${collection}/' || ${alias}.id`,
        ].join(' || '),
      memory: ({ topic_id, subscription_id, id }, { baseUrl }) =>
        `${subscriptionUrl(baseUrl, Number(topic_id), Number(subscription_id))}/${collection}/${Number(id)}`,
    },
  });
