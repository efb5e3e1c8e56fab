import { datetime, id, text } from '../vocabulary/attribute.js';
import { urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { API_PREFIX, resourceUrl } from '../vocabulary/resource-url.js';
import { EVENT_TYPES, type EventType } from './event-types.js';

/**
 * The collections of event subjects. The first entry that fits an event applies: `subject` is the type of the event's
 * subject, and the event's snapshot has the value of `kind`, if the entry has a `kind`.
 */
const COLLECTIONS: readonly {
  readonly subject: string;
  readonly kind?: readonly [datapath: string, value: string];
  readonly collection: string;
}[] = [
  { subject: 'posting', collection: 'postings' },
  { subject: 'application', kind: ['application.app_type', 'event_application'], collection: 'event_applications' },
  { subject: 'application', collection: 'vacancy_applications' },
  { subject: 'opportunity', kind: ['opportunity.kind', 'event'], collection: 'events' },
  { subject: 'opportunity', collection: 'vacancies' },
];

/** The subject of an event, stored in the event's row. */
export const notificationEventSubject = objectType({
  name: 'notification_event_subject',
  label: 'url',
  properties: {
    id: id({ column: 'subject_id' }),
    url: text({
      format: 'uri',
      computed: {
        sql: (alias, { baseUrl }) => {
          const cases = COLLECTIONS.map(({ subject, kind, collection }) => {
            const isKind = kind ? ` AND ${alias}.facts ->> '${kind[0]}' = '${kind[1]}'` : '';
            return `WHEN ${alias}.subject_type = '${subject}'${isKind} THEN '${collection}'`;
          });
          return `${baseUrl} || '${API_PREFIX}/' || CASE ${cases.join(' ')} END || '/' || ${alias}.subject_id`;
        },
        memory: ({ subject_type, subject_id, facts }, { baseUrl }) => {
          const known = facts as Readonly<Record<string, unknown>>;
          const found = COLLECTIONS.find(
            ({ subject, kind }) => subject === subject_type && (!kind || known[kind[0]] === kind[1]),
          );
          return found ? resourceUrl(baseUrl, found.collection, Number(subject_id)) : null;
        },
      },
    }),
  },
});

/** An event. Its snapshot is not shown, because reading the snapshot needs further scopes. */
export const notificationEvent = objectType({
  name: 'notification_event',
  table: 'domain_events',
  label: 'type',
  scopes: ['notifications'],
  properties: {
    id: id({ shown: true }),
    url: urlIn('notification_events'),
    type: text({ shown: true, values: EVENT_TYPES as readonly [EventType, ...EventType[]] }),
    occurred_dt: datetime({ shown: true, description: 'Time of the event: the `timestamp` of its messages.' }),
    subject: embedded('notification_event_subject', {
      shows: ['id', 'url'],
      description: 'The object that the event is about. It may have been deleted since.',
    }),
    user: toOne('recruiter', {
      shows: ['id', 'url'],
      column: 'recruiter_id',
      description: 'The recruiter who caused the event.',
    }),
  },
});

export const notificationEvents = resource({
  name: 'notification_events',
  type: notificationEvent,
  describe: {
    group: 'Notifications',
    title: 'Events',
    text: 'All recorded events, including those that no topic selected.',
  },
  scope: 'notifications',
  attributeFilters: ['type'],
});
