import { type Message, message } from '@ats/message';
import { type ChangeKind, type EventDeclaration } from '../vocabulary/event-declaration.js';
import { applicationEvents } from './application.model.js';
import { communicationEvents } from './communication.model.js';
import { credentialEvents } from './credential.model.js';
import { documentEvents } from './document.model.js';
import { formEvents } from './form.model.js';
import { jobBoardEvents } from './job-board.model.js';
import { eventEvents, vacancyEvents } from './opportunity.model.js';
import { postingEvents } from './posting.model.js';
import { candidateEvents } from './user.model.js';

/** The event types that business rules raise. The models of the objects declare all other event types. */
const RAISED_BY_RULES = {
  STATE_CHANGE_APPLICATION: { root: 'application', text: message`An application moved to another state.` },
  STATE_CHANGE_OPPORTUNITY: { root: 'opportunity', text: message`A vacancy or an event moved to another state.` },
  CANDIDATE_ANONYMISATION_DUE: {
    root: 'candidate',
    text: message`The retention rule will soon anonymise a candidate. New activity of the candidate prevents this.`,
  },
  SUBSCRIPTION_DISABLED: {
    root: 'notification_subscription',
    text: message`A subscription was disabled: by a client, or because its destination is gone or keeps failing.`,
  },
  SUBSCRIPTION_RECOVERED: {
    root: 'notification_subscription',
    text: message`A destination accepted a message again after failures, or after its subscription was disabled.`,
  },
  DELIVERY_EXHAUSTED: {
    root: 'notification_delivery',
    text: message`The last attempt to deliver a message failed.`,
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/**
 * The declarations of all event types. Everything else about event types is derived from these declarations.
 * Source: docs/reference/notifications.md.
 */
const EVENTS = {
  ...postingEvents,
  ...RAISED_BY_RULES,
  ...applicationEvents,
  ...candidateEvents,
  ...vacancyEvents,
  ...eventEvents,
  ...jobBoardEvents,
  ...formEvents,
  ...communicationEvents,
  ...credentialEvents,
  ...documentEvents,
};

export type EventType = keyof typeof EVENTS;
export type EventSubject = (typeof EVENTS)[EventType]['root'];

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** Maps each event type to the object type of its subject. */
export const EVENT_ROOTS = Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENTS[type].root])) as {
  readonly [Type in EventType]: (typeof EVENTS)[Type]['root'];
};

const declared = (type: EventType): EventDeclaration => EVENTS[type];

/** Returns the meaning of an event type, as people read it. */
export const eventTypeText = (type: EventType): Message => declared(type).text;

/** True when messages of the type have the property `type`. */
export const hasTypeInBody = (type: EventType): boolean => declared(type).hasTypeInBody === true;

/** True when every snapshot of the type contains the values of related objects, even when no topic uses them. */
export const isWholeSnapshot = (type: EventType): boolean =>
  declared(type).isWhole === true || declared(type).on === undefined;

/** True when the subject is deleted, so that its URL cannot be fetched any more when the event is notified. */
export const isDeletion = (type: EventType): boolean => declared(type).on === 'delete';

/**
 * True when events of the type store former values, so that expressions of its topics may use CHANGED and WAS.
 * Source: docs/reference/notifications.md, "Former values".
 */
export const hasPast = (type: EventType): boolean =>
  ['update', 'form_values'].includes(declared(type).on ?? '') || type.startsWith('STATE_CHANGE_');

/** The event types that changes raise, by the object type and the kind of the change. */
const RAISED_BY_CHANGES: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPES.flatMap((type) => {
    const { root, on } = declared(type);
    return on === undefined ? [] : [[`${root} ${on}`, type] as const];
  }),
);

/** Returns the event type that a change of an object raises, or undefined when it raises none. */
export const eventTypeOf = (root: string, change: ChangeKind): EventType | undefined =>
  RAISED_BY_CHANGES.get(`${root} ${change}`);
