import { EVENT_TYPES, type EventType } from './event-types.js';
import { datetime, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { type RelationOptions, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { API_PREFIX } from '../vocabulary/resource-url.js';
import { subscriptionUrl } from './subscription-url.js';

/**
 * Maximum number of characters of an expression, so that the parser never reads a megabyte. The parser itself has a
 * lower limit and reports the position of the violation.
 */
const MAX_EXPRESSION_LENGTH = 8_192;

/** The scope that allows changing topics and subscriptions of other credentials. */
const ADMIN_SCOPE = 'notifications:admin';

const OWNER = {
  shows: ['id', 'url'],
  nullable: true,
  write: 'optional',
  description:
    'The credential that created the item. Other credentials need `notifications:admin` to change the item, and to ' +
    'name another owner. Null for items of earlier releases, which every `notifications:write` may change.',
} as const satisfies RelationOptions;

/**
 * A topic: the type of events, and the expression that must be true for them. Source: docs/reference/notifications.md.
 */
export const notificationTopic = objectType({
  name: 'notification_topic',
  table: 'notification_topics',
  scopes: ['notifications'],
  properties: {
    ...identity(urlIn('notification_topics')),
    type: text({ shown: true, write: 'required', values: EVENT_TYPES as readonly [EventType, ...EventType[]] }),
    name: text({ shown: true, write: 'required' }),
    description: text({ shown: true, nullable: true, write: 'optional', maxLength: 10_000 }),
    expression: text({
      shown: true,
      content: 'expression',
      nullable: true,
      write: 'optional',
      maxLength: MAX_EXPRESSION_LENGTH,
      description:
        'A condition on the events, such as `application.user.firstname == "Ada"`. ' +
        'Null selects all events of the type. Clients without the read scopes of its datapaths read null.',
      furtherScopes: (alias) =>
        `CASE WHEN ${alias}.expression IS NULL THEN '{}' WHEN ${alias}.read_scopes_revision = ${alias}.revision
          THEN ${alias}.read_scopes END`,
    }),
    owner: toOne('credential', OWNER),
  },
});

/**
 * The statuses of a subscription: `pending` before its period, `active` in it, `ended` after it, and `disabled` while
 * it is disabled. Source: docs/reference/notifications.md.
 */
export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'ended', 'disabled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** SQL for the current status of the subscription in the row `alias`. */
export const subscriptionStatusSql = (alias: string): string =>
  `CASE WHEN ${alias}.disabled_dt IS NOT NULL THEN 'disabled' WHEN ${alias}.end_dt <= clock_timestamp() THEN 'ended'
    WHEN ${alias}.active_from_dt > clock_timestamp() THEN 'pending' ELSE 'active' END`;

/** A subscription: a destination and a period for the events of a topic. Source: docs/reference/notifications.md. */
export const notificationSubscription = objectType({
  name: 'notification_subscription',
  table: 'notification_subscriptions',
  label: 'destination_url',
  scopes: ['notifications'],
  properties: {
    ...identity(
      text({
        shown: true,
        format: 'uri',
        computed: {
          sql: (alias, { baseUrl }) =>
            [
              `${baseUrl} || '${API_PREFIX}/notification_topics/' || ${alias}.topic_id`,
              `'/subscriptions/' || ${alias}.id`,
            ].join(' || '),
          memory: ({ topic_id, id }, { baseUrl }) => subscriptionUrl(baseUrl, Number(topic_id), Number(id)),
        },
      }),
    ),
    start_dt: datetime({
      shown: true,
      write: 'optional',
      description:
        'Start of the period: earlier events are not notified. Defaults to now. A start in the past counts as now.',
    }),
    end_dt: datetime({
      shown: true,
      nullable: true,
      write: 'optional',
      description: 'End of the period: events from this time on are not notified.',
    }),
    destination_url: text({
      shown: true,
      content: 'key',
      format: 'uri',
      nullable: true,
      write: 'optional',
      maxLength: 2_048,
      description:
        'The public `https` URL to which messages are posted. Required without `endpoint_id`. It belongs to the ' +
        'endpoint, so a subscription of a shared endpoint cannot change it. Null when the endpoint has none.',
    }),
    endpoint: toOne('notification_endpoint', {
      shows: ['id', 'url'],
      nullable: true,
      write: 'optional',
      description:
        'The endpoint to which messages are sent. Defaults to an endpoint of its own for the `destination_url`. ' +
        '`endpoint_id` with null moves the subscription to an endpoint of its own, which has a new signing key.',
    }),
    status: text({
      shown: true,
      values: SUBSCRIPTION_STATUSES,
      computed: { sql: subscriptionStatusSql, memory: ({ status }) => status ?? null },
    }),
    disabled_reason: text({
      shown: true,
      nullable: true,
      values: ['gone', 'failing', 'requested'],
      description:
        '`gone`: the destination answered 410. `failing`: no attempt succeeded for 5 days. ' +
        '`requested`: a client disabled the subscription.',
    }),
    topic: toOne('notification_topic', {
      shows: ['id', 'url', 'uuid', 'type', 'name', 'description', 'expression', 'created_dt'],
    }),
    owner: toOne('credential', OWNER),
  },
});

export const notificationTopics = resource({
  name: 'notification_topics',
  type: notificationTopic,
  quotas: [{ most: 1_000 }],
  describe: {
    group: 'Notifications',
    title: 'Topics',
    text: `A topic selects events: one event type, and optionally an expression that the event must match.
A topic sends nothing by itself. Create a subscription to receive its events.

[Preview](#operation/notification_topics.preview) an expression against past events before you create a topic.
[Explain](#operation/notification_topics.explain) says why an event was or was not notified.`,
  },
  scope: 'notifications',
  adminScope: ADMIN_SCOPE,
});

/** Subscriptions below their topic. */
export const notificationSubscriptions = resource({
  name: 'notification_subscriptions',
  type: notificationSubscription,
  quotas: [
    { most: 500, per: ['topic_id'] },
    { most: 20, per: ['topic_id', 'destination_url'] },
    { most: 500, per: ['endpoint_id'] },
  ],
  describe: {
    group: 'Notifications',
    title: 'Subscriptions',
    text: `A subscription sends the events of a topic to a destination for a period of time. Messages are
JSON, sent by POST. They contain ids and URLs, never the data of the subject. Any 2xx answer within 10 seconds is a
success. Otherwise the message is sent again later with the same \`message_id\`.

To verify a message, read the header \`x-service-notify-signature\`: \`<timestamp>,<signature>\`. The signature is the
HMAC-SHA256 of \`<timestamp>.<body>\` in lowercase hexadecimal. Its key is the text of \`signing_key\` as you received
it, and the body is the exact bytes you received. Then refuse the message if its timestamp differs from your clock by
more than five minutes. Messages also have the headers of [Standard Webhooks](https://www.standardwebhooks.com). The
libraries of this standard take \`standard_webhooks_secret\`.`,
  },
  paths: ['notification_topics'],
  scope: 'notifications',
  adminScope: ADMIN_SCOPE,
  ownerColumn: 'topic_id',
});
