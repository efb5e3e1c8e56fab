import { datetime, integer, text } from '../vocabulary/attribute.js';
import { identity } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { REDELIVERY_ERROR_CODES, type DeliveryStatus } from './delivery.model.js';
import { belowSubscription } from './subscription-url.js';

/** What can be asked for again: what is being sent goes out anyway, and what is held waits for its subscription. */
export const REDELIVERABLE_STATUSES = [
  'due',
  'delivered',
  'exhausted',
  'cancelled',
] as const satisfies readonly DeliveryStatus[];
export type RedeliverableStatus = (typeof REDELIVERABLE_STATUSES)[number];

/** A request to send everything since a moment again, and how far it has come. Source: CONTRACT.md 8; NOTIFIER.md 3, row 26. */
export const notificationRedelivery = objectType({
  name: 'notification_redelivery',
  table: 'notification_redeliveries',
  label: 'uuid',
  scopes: ['notifications'],
  errorCodes: { subscription_disabled: REDELIVERY_ERROR_CODES.subscription_disabled },
  properties: {
    ...identity(belowSubscription('redeliveries')),
    since_dt: datetime({ shown: true, description: 'Messages of events from this moment on.' }),
    until_dt: datetime({ shown: true, description: 'Messages of events before this moment.' }),
    delivery_status: text({
      shown: true,
      nullable: true,
      values: REDELIVERABLE_STATUSES,
      description: 'Only deliveries with this status; all of them without it.',
    }),
    status: text({
      shown: true,
      values: ['running', 'done'],
      description: 'It waits, running, while the subscription is disabled.',
    }),
    total: integer({ shown: true, description: 'Deliveries that there were when it was asked for.' }),
    redelivered: integer({ shown: true, description: 'Deliveries that are sent again, so far.' }),
    skipped: integer({
      shown: true,
      description: 'Deliveries that were on their way by themselves when their turn came.',
    }),
  },
});

/** They live below their subscription; newest first. */
export const notificationRedeliveries = resource({
  name: 'notification_redeliveries',
  type: notificationRedelivery,
  describe: {
    group: 'Notifications',
    title: 'Redeliveries',
    text: `Repeated sending of past messages, for a destination that was unavailable for too long
or lost what it had received.`,
  },
  paths: ['notification_topics'],
  scope: 'notifications',
  ownerColumn: 'subscription_id',
  order: ['id!desc'],
});
