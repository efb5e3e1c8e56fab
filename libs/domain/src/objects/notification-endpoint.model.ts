import { message } from '@ats/message';
import { boolean, integer, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { referring, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** SQL for the credential that owns the only subscription of the endpoint `alias`. Null for a shared endpoint. */
const ownerOfSubscription = (alias: string): string =>
  `(SELECT owned.owner_id FROM notification_subscriptions owned WHERE owned.id = ${alias}.own_subscription_id)`;

/** SQL for the credential that may read the signing keys of the endpoint `alias`. */
export const keyReaderOf = (alias: string): string => `COALESCE(${alias}.credential_id, ${ownerOfSubscription(alias)})`;

/** A named destination with an owner, for one or more subscriptions. Source: docs/reference/notifications.md. */
export const notificationEndpoint = objectType({
  name: 'notification_endpoint',
  table: 'notification_endpoints',
  scopes: ['notifications'],
  errorCodes: {
    in_use: 'the endpoint has subscriptions and cannot be deleted',
    no_subscriptions: 'a test message needs a subscription, and the endpoint has none',
  },
  properties: {
    ...identity(urlIn('notification_endpoints')),
    name: text({
      shown: true,
      write: 'required',
      description: 'Several endpoints may have the same name.',
    }),
    destination_url: text({
      shown: true,
      content: 'key',
      format: 'uri',
      nullable: true,
      write: 'optional',
      maxLength: 2_048,
      description:
        'The public `https` URL to which the messages of all subscriptions are posted. Null for an endpoint whose ' +
        'messages are only read with `messages` or `stream`, and never posted.',
    }),
    owner: toOne('recruiter', {
      shows: ['id', 'url'],
      nullable: true,
      write: 'optional',
      description:
        'The recruiter who is responsible. Credentials of other recruiters need `notifications:admin` to change the ' +
        'endpoint, and to name another owner. Null for endpoints of subscriptions without an owner.',
    }),
    emails_owner: boolean({
      shown: true,
      write: 'optional',
      description:
        'True when the owner gets an e-mail when a subscription is disabled or recovers, and when a delivery is ' +
        'exhausted.',
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
      // Snapshots of an endpoint leave out its subscriptions. An endpoint can have 500 of them. Each one leads to a
      // topic, which has texts of clients, and back to the endpoint.
      inFacts: false,
    }),
  },
});

/**
 * SQL condition that selects shared endpoints, the only ones that the quota counts. An own endpoint needs no count of
 * its own, because the quota of subscriptions limits it.
 */
const SHARED = 'own_subscription_id IS NULL';

export const notificationEndpoints = resource({
  name: 'notification_endpoints',
  type: notificationEndpoint,
  quotas: [
    { most: 20_000, where: SHARED },
    { most: 1_000, per: ['owner_id'], where: SHARED },
  ],
  usedBy: [
    {
      resource: 'notification_subscriptions',
      table: 'notification_subscriptions',
      column: 'endpoint_id',
      info: message`subscriptions use this endpoint: delete or move them first`,
    },
  ],
  describe: {
    group: 'Notifications',
    title: 'Endpoints',
    text: `An endpoint is a named destination. Every subscription has one. A subscription that is created with a
\`destination_url\` gets an endpoint of its own, which is deleted with the subscription. With \`endpoint_id\`,
subscriptions share an endpoint, its destination and its signing key.`,
    example: { name: 'Payroll', destination_url: 'https://hooks.example.com/payroll' },
  },
  scope: 'notifications',
  adminScope: 'notifications:admin',
  owners: (alias) => ({
    credential: ownerOfSubscription(alias),
    recruiter: `CASE WHEN ${alias}.${SHARED} THEN ${alias}.owner_id END`,
  }),
});
