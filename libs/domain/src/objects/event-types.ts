import { type Message, message } from '@ats/message';

/** One event type. */
interface EventTypeDescription {
  /** The object type of the subject. The datapaths in the expressions of a topic begin with this object type. */
  readonly root: string;
  /** The meaning of the type, for people. */
  readonly text: Message;
}

/** All event types. Everything else about them is derived from this table. Source: docs/reference/notifications.md. */
const EVENTS = {
  POSTING_CREATE: { root: 'posting', text: message`A posting was created.` },
  POSTING_UPDATE: { root: 'posting', text: message`Properties of a posting changed, such as its closing date.` },
  POSTING_DELETE: { root: 'posting', text: message`A posting was deleted.` },
  STATE_CHANGE_APPLICATION: { root: 'application', text: message`An application moved to another state.` },
  STATE_CHANGE_OPPORTUNITY: { root: 'opportunity', text: message`A vacancy or an event moved to another state.` },
  CANDIDATE_ANONYMISATION_DUE: {
    root: 'candidate',
    text: message`The retention rule will anonymise a candidate, unless the candidate becomes active before.`,
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
} as const satisfies Readonly<Record<string, EventTypeDescription>>;

export type EventType = keyof typeof EVENTS;
export type EventSubject = (typeof EVENTS)[EventType]['root'];

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** Event types, each with the object type of its subject. */
export const EVENT_ROOTS = Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENTS[type].root])) as {
  readonly [Type in EventType]: (typeof EVENTS)[Type]['root'];
};

/** The meaning of an event type, for people. */
export const eventTypeText = (type: EventType): Message => EVENTS[type].text;
