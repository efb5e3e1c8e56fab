import { datetime, id, text } from '../vocabulary/attribute.js';
import { urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { API_PREFIX, resourceUrl } from '../vocabulary/resource-url.js';
import { EVENT_TYPES, type EventType } from './event-types.js';

/**
 * The collections of event subjects. The first entry that fits an event applies: `subject` is the type of the event's
 * subject, and the event's snapshot has the value of `kind`, if the entry has a `kind`. `scope` is the part of the read
 * scope of the subject before the colon.
 */
const COLLECTIONS: readonly {
  readonly subject: string;
  readonly kind?: readonly [datapath: string, value: string];
  readonly collection: string;
  readonly scope: string;
}[] = [
  { subject: 'posting', collection: 'postings', scope: 'postings' },
  {
    subject: 'application',
    kind: ['application.app_type', 'event_application'],
    collection: 'event_applications',
    scope: 'applications',
  },
  { subject: 'application', collection: 'vacancy_applications', scope: 'applications' },
  { subject: 'opportunity', kind: ['opportunity.kind', 'event'], collection: 'events', scope: 'events' },
  { subject: 'opportunity', collection: 'vacancies', scope: 'vacancies' },
];

/** SQL that chooses a text by the collection of the subject of the event in the row `alias`. */
function caseOfCollection(alias: string, textOf: (entry: (typeof COLLECTIONS)[number]) => string): string {
  const cases = COLLECTIONS.map((entry) => {
    const isKind = entry.kind ? ` AND ${alias}.facts ->> '${entry.kind[0]}' = '${entry.kind[1]}'` : '';
    return `WHEN ${alias}.subject_type = '${entry.subject}'${isKind} THEN ${textOf(entry)}`;
  });
  return `CASE ${cases.join(' ')} END`;
}

const scopesOfSubject = (alias: string): string => caseOfCollection(alias, ({ scope }) => `'{${scope}}'::text[]`);

/** The subject of an event, stored in the event's row. */
export const notificationEventSubject = objectType({
  name: 'notification_event_subject',
  label: 'url',
  properties: {
    id: id({ column: 'subject_id', nullable: true, furtherScopes: scopesOfSubject }),
    url: text({
      format: 'uri',
      nullable: true,
      furtherScopes: scopesOfSubject,
      computed: {
        sql: (alias, { baseUrl }) =>
          [
            `${baseUrl} || '${API_PREFIX}/'`,
            caseOfCollection(alias, ({ collection }) => `'${collection}'`),
            `'/' || ${alias}.subject_id`,
          ].join(' || '),
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
      nullable: true,
      description:
        'The object that the event is about. It may have been deleted since. Null without the read scope of the object.',
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
