import { API_PREFIX } from '../vocabulary/resource-url.js';
import { type Resource } from '../vocabulary/resource.js';
import { applications, eventApplications } from './application.model.js';
import { communications } from './communication.model.js';
import { credentials } from './credential.model.js';
import { notificationDeliveries } from './delivery.model.js';
import { documents } from './document.model.js';
import { type EventSubject } from './event-types.js';
import { forms } from './form.model.js';
import { jobBoards } from './job-board.model.js';
import { notificationSubscriptions } from './notification.model.js';
import { events, vacancies } from './opportunity.model.js';
import { postings } from './posting.model.js';
import { candidates } from './user.model.js';

/**
 * Maps each kind of subject to the resources that its objects belong to. The type of the map makes the compiler demand
 * an entry for a new kind of subject.
 */
const RESOURCES: Readonly<Record<EventSubject, readonly Resource[]>> = {
  posting: [postings],
  application: [eventApplications, applications],
  opportunity: [events, vacancies],
  vacancy: [vacancies],
  event: [events],
  candidate: [candidates],
  job_board: [jobBoards],
  form: [forms],
  communication: [communications],
  credential: [credentials],
  document: [documents],
  notification_subscription: [notificationSubscriptions],
  notification_delivery: [notificationDeliveries],
};

/** A segment of a URL: either a fixed text, or the id that the event's snapshot has at a datapath. */
type UrlSegment = string | { readonly datapath: string };

/**
 * The datapaths of the ids in the URLs of subscriptions and deliveries. Every snapshot of an event about a subscription
 * or delivery has values at these datapaths.
 */
export const SUBSCRIPTION_TOPIC = 'notification_subscription.topic.id';
export const DELIVERY_TOPIC = 'notification_delivery.topic_id';
export const DELIVERY_SUBSCRIPTION = 'notification_delivery.subscription.id';

/** The segments of the URL before the subject's id, for subjects whose URL is nested below other objects. */
const NESTED: Readonly<Partial<Record<EventSubject, readonly UrlSegment[]>>> = {
  notification_subscription: ['notification_topics', { datapath: SUBSCRIPTION_TOPIC }, 'subscriptions'],
  notification_delivery: [
    'notification_topics',
    { datapath: DELIVERY_TOPIC },
    'subscriptions',
    { datapath: DELIVERY_SUBSCRIPTION },
    'deliveries',
  ],
};

/** A collection that contains subjects of events. */
export interface SubjectCollection {
  readonly subject: EventSubject;
  readonly resource: Resource;
  /** The segments of a subject's URL after the prefix of the API and before the subject's id. */
  readonly path: readonly UrlSegment[];
  /**
   * Tells apart collections with subjects of the same type. The snapshot of an event has `value` at `datapath` when its
   * subject belongs to this collection. Absent when no other collection has subjects of this type.
   */
  readonly kind?: { readonly datapath: string; readonly value: string };
}

/**
 * All collections of event subjects. When a snapshot lacks the value of `kind`, the last collection of the type is
 * used.
 */
export const SUBJECT_COLLECTIONS: readonly SubjectCollection[] = Object.entries(RESOURCES).flatMap(
  ([name, resources]) => {
    const subject = name as EventSubject;
    return resources.map((resource) => ({
      subject,
      resource,
      path: NESTED[subject] ?? [resource.paths[0]],
      ...(resources.length > 1 && { kind: kindOf(subject, resource) }),
    }));
  },
);

function kindOf(subject: EventSubject, { name, type, fixed }: Resource): NonNullable<SubjectCollection['kind']> {
  const [[column, value] = [], ...more] = Object.entries({ ...type.fixed, ...fixed });
  if (column === undefined || value === undefined || more.length > 0)
    throw new Error(
      `expected exactly one fixed value that tells the collection ${name} from others of its object type`,
    );
  return { datapath: `${subject}.${column}`, value };
}

/** The datapaths whose values are needed for the URLs of subjects. */
export const SUBJECT_URL_DATAPATHS: readonly string[] = [
  ...new Set(
    SUBJECT_COLLECTIONS.flatMap(({ kind, path }) => [
      ...(kind ? [kind.datapath] : []),
      ...path.flatMap((segment) => (typeof segment === 'string' ? [] : [segment.datapath])),
    ]),
  ),
];

/** SQL for the path of the subject's URL. The event is in the row `alias`. */
export const subjectPathSql = ({ path }: SubjectCollection, alias: string): string =>
  [
    ...path.map((segment) =>
      typeof segment === 'string' ? `'${segment}/'` : `(${alias}.facts ->> '${segment.datapath}') || '/'`,
    ),
    `${alias}.subject_id`,
  ].join(' || ');

/**
 * Returns the absolute URL of a subject.
 * @param idAt  returns the id that the event's snapshot has at a datapath
 */
export function subjectUrl(
  baseUrl: string,
  { path }: SubjectCollection,
  { id, idAt }: { readonly id: number; readonly idAt: (datapath: string) => number },
): string {
  const segments = path.map((segment) => (typeof segment === 'string' ? segment : idAt(segment.datapath)));
  return [`${baseUrl}${API_PREFIX}`, ...segments, id].join('/');
}

/** The data of an event that shows whether it is about a subscription. */
export interface EventAboutSubject {
  readonly subject_type: string;
  readonly subject_id: number;
  /** The event's snapshot. It may have only some datapaths, but must have {@link DELIVERY_SUBSCRIPTION}. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * True when an event is about this subscription: its subject is the subscription or one of its deliveries. The
 * subscription then gets no message, because otherwise a failing subscription could cause endless messages to itself.
 */
export function isAboutItself({ subject_type, subject_id, facts }: EventAboutSubject, subscriptionId: number): boolean {
  if (subject_type === 'notification_subscription') return subject_id === subscriptionId;
  return subject_type === 'notification_delivery' && facts[DELIVERY_SUBSCRIPTION] === subscriptionId;
}

/**
 * The subjects of operator events. A delivery of such an event never raises `DELIVERY_EXHAUSTED`, and its failure alone
 * never leads to `SUBSCRIPTION_RECOVERED`. Otherwise two subscriptions that report on each other could cause endless
 * messages.
 */
export const OPERATOR_SUBJECTS = [
  'notification_subscription',
  'notification_delivery',
] as const satisfies readonly EventSubject[];
