import {
  DELIVERY_SUBSCRIPTION,
  DELIVERY_TOPIC,
  SUBJECT_COLLECTIONS,
  SUBJECT_URL_DATAPATHS,
  type SubjectCollection,
  subjectUrl,
} from '../../objects/event-subjects.js';
import { type EventSubject, type EventType, hasTypeInBody, isDeletion } from '../../objects/event-types.js';
import { API_PREFIX, resourceUrl } from '../../vocabulary/resource-url.js';
import { subscriptionUrl } from '../../objects/subscription-url.js';

/** The data of an event that its messages need. */
export interface EventForMessage {
  readonly type: EventType;
  readonly subjectType: EventSubject;
  readonly subjectId: number;
  readonly recruiterId: number;
  readonly occurredDt: Date;
  /** The snapshot of the event, which maps canonical datapaths to values. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The data of a subscription that its messages need. */
export interface SubscriptionForMessage {
  readonly id: number;
  readonly uuid: string;
  readonly topic: { readonly id: number; readonly uuid: string };
}

interface Reference {
  readonly id: number;
  readonly url: string;
}

const JOB_BOARD = 'posting.job_board.id';
const VACANCY = 'posting.vacancy.id';
/** The datapaths whose values every message needs, because messages contain URLs of objects. */
export const MESSAGE_DATAPATHS: readonly string[] = [...SUBJECT_URL_DATAPATHS, JOB_BOARD, VACANCY];

/**
 * The error for an event without a value that its message needs. It shows a bug in the code that recorded the event.
 */
export class IncompleteEventError extends Error {
  constructor(datapath: string) {
    super(`the snapshot of the event lacks the value of ${datapath}`);
    this.name = 'IncompleteEventError';
  }
}

/**
 * Creates the body of one message. It has ids and URLs, never other data. It is created once, when the event is
 * matched, and every attempt sends and signs the same bytes. `user.id` is a string, and all other ids are numbers.
 * @param messageId  the same for all attempts to deliver one event to one subscription
 * @param baseUrl  `PUBLIC_BASE_URL` without a trailing slash
 * @throws {IncompleteEventError} when the event's snapshot lacks a value that the message needs
 * Source: docs/reference/notifications.md, "Messages".
 */
export function toMessageBody(
  event: EventForMessage,
  subscription: SubscriptionForMessage,
  { messageId, baseUrl }: { readonly messageId: string; readonly baseUrl: string },
): string {
  const { type, occurredDt, recruiterId } = event;
  const named = hasTypeInBody(type) ? { type } : {};
  const details = toDetails(event, baseUrl);
  return toBody({ messageId, occurredDt, recruiterId, subscription, details, ...named }, baseUrl);
}

/**
 * Creates the body of a test message. Its `details` are the id and the URL of the delivery of this message, and
 * `is_test`.
 * Source: docs/reference/notifications.md, "Test messages".
 */
export function toPingBody(
  { deliveryId, recruiterId, now }: { readonly deliveryId: number; readonly recruiterId: number; readonly now: Date },
  subscription: SubscriptionForMessage,
  { messageId, baseUrl }: { readonly messageId: string; readonly baseUrl: string },
): string {
  const url = `${subscriptionUrl(baseUrl, subscription.topic.id, subscription.id)}/deliveries/${deliveryId}`;
  return toBody(
    { messageId, occurredDt: now, recruiterId, subscription, details: { id: deliveryId, url, is_test: true } },
    baseUrl,
  );
}

interface MessageParts {
  readonly messageId: string;
  readonly occurredDt: Date;
  readonly recruiterId: number;
  readonly subscription: SubscriptionForMessage;
  readonly details: object;
  readonly type?: EventType;
}

function toBody(parts: MessageParts, baseUrl: string): string {
  const { messageId, occurredDt, recruiterId, subscription, details, type } = parts;
  const { topic } = subscription;
  return JSON.stringify({
    message_id: messageId,
    ...(type !== undefined && { type }),
    timestamp: occurredDt.toISOString(),
    user: { id: String(recruiterId), url: resourceUrl(baseUrl, 'recruiters', recruiterId) },
    subscription: {
      id: subscription.id,
      url: subscriptionUrl(baseUrl, topic.id, subscription.id),
      uuid: subscription.uuid,
      topic: { url: `${baseUrl}${API_PREFIX}/notification_topics/${topic.id}`, uuid: topic.uuid, id: topic.id },
    },
    details,
  });
}

function toDetails(event: EventForMessage, baseUrl: string): object {
  const id = event.subjectId;
  const subject = { id, url: subjectUrl(baseUrl, collectionOf(event), { id, idAt: (path) => readId(event, path) }) };
  if (hasTypeInBody(event.type)) return { ...subject, ...(isDeletion(event.type) && { deleted: true }) };
  switch (event.subjectType) {
    case 'notification_delivery': {
      const subscription = readId(event, DELIVERY_SUBSCRIPTION);
      const url = subscriptionUrl(baseUrl, readId(event, DELIVERY_TOPIC), subscription);
      return { ...subject, subscription: { id: subscription, url } };
    }
    case 'posting':
      return {
        ...subject,
        job_board: toReference(baseUrl, 'job_boards', readId(event, JOB_BOARD)),
        vacancy: toReference(baseUrl, 'vacancies', readId(event, VACANCY)),
      };
    case 'application':
    case 'opportunity':
      return { ...subject, state_changes: { url: `${subject.url}/history` } };
    default:
      return subject;
  }
}

/**
 * Returns the collection of the event's subject. Vacancies and events have separate collections, and so have
 * applications to them.
 */
function collectionOf({ subjectType, facts }: EventForMessage): SubjectCollection {
  const possible = SUBJECT_COLLECTIONS.filter(({ subject }) => subject === subjectType);
  const found = possible.find(({ kind }) => !kind || facts[kind.datapath] === kind.value);
  if (!found) throw new IncompleteEventError(possible[0]?.kind?.datapath ?? subjectType);
  return found;
}

function readId({ facts }: EventForMessage, datapath: string): number {
  const id = facts[datapath];
  if (typeof id !== 'number') throw new IncompleteEventError(datapath);
  return id;
}

const toReference = (baseUrl: string, collection: string, id: number): Reference => ({
  id,
  url: resourceUrl(baseUrl, collection, id),
});
