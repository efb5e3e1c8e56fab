import { type Resource } from '../vocabulary/resource.js';
import { applications, eventApplications } from './application.model.js';
import { type EventSubject } from './event-types.js';
import { events, vacancies } from './opportunity.model.js';
import { postings } from './posting.model.js';
import { candidates } from './user.model.js';

/** The resources of the subjects of events. An event type with another subject compiles only with its resource here. */
const RESOURCES: Readonly<Record<EventSubject, readonly Resource[]>> = {
  posting: [postings],
  application: [eventApplications, applications],
  opportunity: [events, vacancies],
  candidate: [candidates],
};

/** A collection of event subjects. */
export interface SubjectCollection {
  readonly subject: EventSubject;
  readonly resource: Resource;
  /** The value in the event's snapshot that tells the collections of one subject type apart. */
  readonly kind?: { readonly datapath: string; readonly value: string };
}

/** All collections of event subjects. A snapshot without the value of a kind belongs to the last one of its subject. */
export const SUBJECT_COLLECTIONS: readonly SubjectCollection[] = Object.entries(RESOURCES).flatMap(
  ([name, resources]) => {
    const subject = name as EventSubject;
    if (resources.length === 1) return resources.map((resource) => ({ subject, resource }));
    return resources.map((resource) => ({ subject, resource, kind: kindOf(subject, resource) }));
  },
);

function kindOf(subject: EventSubject, { name, type, fixed }: Resource): NonNullable<SubjectCollection['kind']> {
  const [[column, value] = [], ...more] = Object.entries({ ...type.fixed, ...fixed });
  if (column === undefined || value === undefined || more.length > 0)
    throw new Error(`no single value tells the collection ${name} apart`);
  return { datapath: `${subject}.${column}`, value };
}
