import { message } from '@ats/message';
import { boolean, datetime, id, integer, text, uuid } from '../vocabulary/attribute.js';
import { identity } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { logOf, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { ATTEMPT_ERRORS, ATTEMPT_REASONS, listCodes } from './attempt-errors.js';
import { belowSubscription } from './subscription-url.js';

/**
 * The statuses of deliveries that clients see. The internal status `queued` is shown as `due`.
 * Source: docs/reference/notifications.md.
 */
export const DELIVERY_STATUSES = ['due', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const STATUS_MEANINGS: Readonly<Record<DeliveryStatus, string>> = {
  due: 'the delivery waits for `next_attempt_dt`',
  sending: 'an attempt is running',
  delivered: 'the destination has accepted the message',
  held: 'the subscription is disabled; the message is sent when the subscription is enabled',
  exhausted: 'the last attempt failed',
  cancelled: 'the subscription was deleted',
};

/** Maps error codes to the reasons why a delivery cannot be sent again. */
export const REDELIVERY_REFUSALS = {
  subscription_disabled: message`the subscription is disabled: enable it first, which also sends its held deliveries`,
  is_ping: message`a test message is never sent again: request a new one`,
} as const;

/** The reasons in {@link REDELIVERY_REFUSALS} as English text for the API reference. */
export const REDELIVERY_ERROR_CODES = {
  subscription_disabled: String(REDELIVERY_REFUSALS.subscription_disabled),
  is_ping: String(REDELIVERY_REFUSALS.is_ping),
} as const;

/** One HTTP request of a delivery. Source: docs/reference/notifications.md. */
export const notificationAttempt = objectType({
  name: 'notification_attempt',
  table: 'notification_attempts',
  label: 'url',
  scopes: ['notifications'],
  properties: {
    attempt: integer({ description: 'Number of the attempt, from 1; also in the header `x-service-notify-attempt`.' }),
    at: datetime({ column: 'started_dt', description: 'Start of the attempt.' }),
    reason: text({
      values: Object.keys(ATTEMPT_REASONS) as [string, ...string[]],
      description: `The reason for the attempt. ${listCodes(ATTEMPT_REASONS)}.`,
    }),
    url: text({ maxLength: 2_048, format: 'uri', description: 'The `destination_url` at the time of the attempt.' }),
    duration_ms: integer({ nullable: true, description: 'Milliseconds from the start to the result.' }),
    status_code: integer({ nullable: true, description: 'HTTP status of the answer; null without an answer.' }),
    error: text({
      nullable: true,
      values: Object.keys(ATTEMPT_ERRORS) as [string, ...string[]],
      description: `The reason for the failure; null for a success. ${listCodes(ATTEMPT_ERRORS)}.`,
    }),
    response_excerpt: text({
      nullable: true,
      onlyInItems: true,
      description: 'The beginning of the answer’s body, at most 16 KiB as text.',
    }),
    is_truncated: boolean({
      onlyInItems: true,
      description: 'True when the body of the answer was longer than `response_excerpt`.',
    }),
  },
});

/** The delivery of one event or one test message to one subscription. Source: docs/reference/notifications.md. */
export const notificationDelivery = objectType({
  name: 'notification_delivery',
  table: 'notification_deliveries',
  label: 'message_id',
  scopes: ['notifications'],
  errorCodes: REDELIVERY_ERROR_CODES,
  properties: {
    ...identity(belowSubscription('deliveries')),
    uuid: uuid({ shown: true, column: 'message_id', description: 'The same as `message_id`.' }),
    event_id: id({ shown: true, nullable: true, description: 'Id of the event; null for a test message.' }),
    occurred_dt: datetime({ shown: true, description: 'Time of the event: the `timestamp` of the message.' }),
    message_id: uuid({
      shown: true,
      description: 'Id of the message. It is the same on every attempt and every redelivery.',
    }),
    sequence: id({
      shown: true,
      description: 'Number of the message within its subscription, from 1 without gaps; 0 for a test message.',
    }),
    status: text({
      shown: true,
      values: DELIVERY_STATUSES,
      description: `${listCodes(STATUS_MEANINGS)}.`,
      computed: {
        sql: (alias) => `CASE ${alias}.status WHEN 'queued' THEN 'due' ELSE ${alias}.status END`,
        memory: ({ status }) => (status === 'queued' ? 'due' : (status ?? null)),
      },
    }),
    next_attempt_dt: datetime({
      shown: true,
      nullable: true,
      description: 'Earliest time of the next attempt; null during an attempt, and when there will be none.',
      // The row of a delivery keeps its due time during an attempt, so that the delivery keeps its place when the
      // attempt is interrupted.
      computed: {
        sql: (alias) => `CASE WHEN ${alias}.status <> 'sending' THEN ${alias}.next_attempt_dt END`,
        memory: ({ status, next_attempt_dt: time }) =>
          status === 'sending' || !time ? null : new Date(time as string | Date).toISOString(),
      },
    }),
    finished_dt: datetime({
      shown: true,
      nullable: true,
      description: 'Time when the delivery was delivered, exhausted or cancelled.',
    }),
    request_id: text({
      shown: true,
      nullable: true,
      description: '`X-Request-Id` of the request that caused the delivery.',
    }),
    body: text({
      shown: true,
      onlyInItems: true,
      inFacts: false,
      description: 'The message, exactly as it is signed and sent.',
    }),
    attempts: logOf('notification_attempt', {
      ownerColumn: 'delivery_id',
      partitionedBy: 'occurred_dt',
      orderedBy: 'attempt',
      inFacts: false,
      shows: [
        'attempt',
        'at',
        'reason',
        'url',
        'duration_ms',
        'status_code',
        'error',
        'response_excerpt',
        'is_truncated',
      ],
      description: 'All finished attempts, in their order.',
    }),
    subscription: toOne('notification_subscription'),
    topic_id: id({ description: 'Id of the topic.' }),
  },
});

/**
 * Deliveries below their subscription. By default, the newest comes first, and test messages come last, oldest first.
 */
export const notificationDeliveries = resource({
  name: 'notification_deliveries',
  type: notificationDelivery,
  describe: {
    group: 'Notifications',
    title: 'Deliveries',
    text: `The delivery log: one delivery for each event and subscription, with every attempt and its
result. A 2xx answer whose headers arrive within 10 seconds is a success. Every other result is retried after 5 s, 30 s,
2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 24 h and 24 h, plus up to 20 %. A 410 disables the subscription at once.
5 days without a success disable it too. Pending deliveries of a disabled subscription are held. Deliveries are kept for
30 days by default, and longer while they are unfinished. The log holds no personal data: anonymising a candidate also
removes the answers of destinations to messages about his or her applications.`,
  },
  paths: ['notification_topics'],
  scope: 'notifications',
  ownerColumn: 'subscription_id',
  order: ['sequence!desc'],
  isLog: true,
  attributeFilters: ['status'],
});
