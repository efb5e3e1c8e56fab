import { integer, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { referring, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** A named destination with an owner, for one or more subscriptions. Source: docs/reference/notifications.md. */
export const notificationEndpoint = objectType({
  name: 'notification_endpoint',
  table: 'notification_endpoints',
  scopes: ['notifications'],
  properties: {
    ...identity(urlIn('notification_endpoints')),
    name: text({
      shown: true,
      description: 'Several endpoints may have the same name. Defaults to the host of the destination.',
    }),
    destination_url: text({
      shown: true,
      content: 'key',
      format: 'uri',
      maxLength: 2_048,
      description: 'The public `https` URL to which the messages of all subscriptions are posted.',
    }),
    owner: toOne('recruiter', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The recruiter who is responsible. Null for endpoints of subscriptions without an owner.',
    }),
    subscription_count: integer({
      shown: true,
      computed: {
        readsOtherRows: true,
        sql: (alias) =>
          `(SELECT count(*) FROM notification_subscriptions counted WHERE counted.endpoint_id = ${alias}.id)`,
        memory: ({ subscriptions }) => (Array.isArray(subscriptions) ? subscriptions.length : 0),
      },
    }),
    subscriptions: referring('notification_subscription', 'endpoint_id', {
      shows: {
        '*/id': 'subscriptions.id',
        '*/url': 'subscriptions.url',
        '*/topic/id': 'subscriptions.topic.id',
        '*/topic/url': 'subscriptions.topic.url',
        '*/topic/type': 'subscriptions.topic.type',
        '*/topic/name': 'subscriptions.topic.name',
      },
      onlyInItems: true,
    }),
  },
});

export const notificationEndpoints = resource({
  name: 'notification_endpoints',
  type: notificationEndpoint,
  describe: {
    group: 'Notifications',
    title: 'Endpoints',
    text: `An endpoint is a named destination. Every subscription has one. A subscription that is created with a
\`destination_url\` gets an endpoint of its own.`,
  },
  scope: 'notifications',
});
