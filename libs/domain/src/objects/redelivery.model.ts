import { datetime, integer, text } from '../vocabulary/attribute.js';
import { identity } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { REDELIVERY_ERROR_CODES, type DeliveryStatus } from './delivery.model.js';
import { belowSubscription } from './subscription-url.js';

/**
 * The statuses of deliveries that can be sent again. A `sending` delivery cannot, because its attempt is running. A
 * `held` delivery cannot, because it waits until its subscription is enabled.
 */
export const REDELIVERABLE_STATUSES = [
  'due',
  'delivered',
  'exhausted',
  'cancelled',
] as const satisfies readonly DeliveryStatus[];
export type RedeliverableStatus = (typeof REDELIVERABLE_STATUSES)[number];

/** A request to send all deliveries of a period again, and its progress. Source: docs/reference/notifications.md. */
export const notificationRedelivery = objectType({
  name: 'notification_redelivery',
  table: 'notification_redeliveries',
  label: 'uuid',
  scopes: ['notifications'],
  errorCodes: { subscription_disabled: REDELIVERY_ERROR_CODES.subscription_disabled },
  properties: {
    ...identity(belowSubscription('redeliveries')),
    since_dt: datetime({ shown: true, description: 'Start of the period of the events.' }),
    until_dt: datetime({ shown: true, description: 'End of the period; events at this time are not included.' }),
    delivery_status: text({
      shown: true,
      nullable: true,
      values: REDELIVERABLE_STATUSES,
      description: 'Limits the redelivery to deliveries with this status. Null means all of them.',
    }),
    status: text({
      shown: true,
      values: ['running', 'done'],
      description: 'A `running` redelivery waits while the subscription is disabled.',
    }),
    total: integer({ shown: true, description: 'The number of deliveries when the redelivery was requested.' }),
    redelivered: integer({ shown: true, description: 'The number of deliveries requeued so far.' }),
    skipped: integer({
      shown: true,
      description: 'The number of deliveries skipped so far, because they were already due or being sent.',
    }),
  },
});

/** Redeliveries below their subscription. By default, the newest comes first. */
export const notificationRedeliveries = resource({
  name: 'notification_redeliveries',
  type: notificationRedelivery,
  describe: {
    group: 'Notifications',
    title: 'Redeliveries',
    text: `Repeated sending of past messages, for a destination that was unavailable for too long
or lost messages that it had received.`,
  },
  paths: ['notification_topics'],
  scope: 'notifications',
  ownerColumn: 'subscription_id',
  order: ['id!desc'],
});
