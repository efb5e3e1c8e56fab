import { datetime, id, text } from '../vocabulary/attribute.js';
import { urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { API_PREFIX } from '../vocabulary/resource-url.js';
import { SUBJECT_COLLECTIONS, type SubjectCollection, subjectPathSql, subjectUrl } from './event-subjects.js';
import { EVENT_TYPES, type EventType } from './event-types.js';

/**
 * True for the default collection of a subject type: the last of the collections that share the type. A subject belongs
 * to it when no earlier collection has the kind in the event's snapshot.
 */
const isLast = (collection: SubjectCollection): boolean =>
  SUBJECT_COLLECTIONS.findLast(({ subject }) => subject === collection.subject) === collection;

/**
 * Makes SQL (a CASE) that returns a text for the collection of an event's subject. The event is in the row `alias`.
 * @param textOf  returns the text of a collection
 */
function caseOfCollection(alias: string, textOf: (collection: SubjectCollection) => string): string {
  const cases = SUBJECT_COLLECTIONS.map((collection) => {
    const { subject, kind } = collection;
    const isKind = kind && !isLast(collection) ? ` AND ${alias}.facts ->> '${kind.datapath}' = '${kind.value}'` : '';
    return `WHEN ${alias}.subject_type = '${subject}'${isKind} THEN ${textOf(collection)}`;
  });
  return `CASE ${cases.join(' ')} END`;
}

const scopesOfSubject = (alias: string): string =>
  caseOfCollection(alias, ({ resource: { scope } }) => `'{${scope}}'::text[]`);

/** The subject of an event. It is stored in the event's row. */
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
            caseOfCollection(alias, (collection) => subjectPathSql(collection, alias)),
          ].join(' || '),
        memory: ({ subject_type, subject_id, facts }, { baseUrl }) => {
          const known = facts as Readonly<Record<string, unknown>>;
          const found = SUBJECT_COLLECTIONS.find(
            (collection) =>
              collection.subject === subject_type &&
              (!collection.kind || isLast(collection) || known[collection.kind.datapath] === collection.kind.value),
          );
          const idAt = (datapath: string): number => Number(known[datapath]);
          return found ? subjectUrl(baseUrl, found, { id: Number(subject_id), idAt }) : null;
        },
      },
    }),
  },
});

/** An event. Its snapshot is not part of the representation, because reading it needs further scopes. */
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
  isLog: true,
  attributeFilters: ['type'],
});
