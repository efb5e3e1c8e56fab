import { isSuccess, type Reception } from './destination.js';

/** The columns of a delivery that the ledger reads. */
export interface DeliveryRecord {
  readonly message_id: string;
  readonly event_id: number;
  readonly subscription_id: number;
  readonly sequence: number;
  readonly status: string;
}

/** Statuses of a delivery that is finished, or that waits for a decision of the client. */
const FINAL = ['delivered', 'held', 'exhausted', 'cancelled'];

/** The result of the ledger's comparison. Every list is empty when the test has passed. */
export interface Verdict {
  /** Expected pairs of an event and a subscription. */
  readonly messages: number;
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Repeated requests with a message that the destination had not refused. */
  readonly duplicates: number;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  readonly changedBodies: readonly string[];
  readonly sequenceGaps: readonly string[];
  readonly badSignatures: number;
}

/**
 * The ledger of a test: stores the messages that the test expects, and compares them with the requests to the
 * destinations and with the database.
 */
export class Ledger {
  readonly #expected = new Set<string>();

  expect(eventId: number, subscriptionId: number): void {
    this.#expected.add(pair(eventId, subscriptionId));
  }

  get size(): number {
    return this.#expected.size;
  }

  verdict(deliveries: readonly DeliveryRecord[], receptions: readonly Reception[], badSignatures: number): Verdict {
    const received = groupBy(receptions, ({ messageId }) => messageId);
    const known = groupBy(deliveries, (delivery) => pair(delivery.event_id, delivery.subscription_id));
    const messageIds = new Map(deliveries.map((delivery) => [delivery.message_id, delivery]));
    return {
      messages: this.#expected.size,
      requests: receptions.length,
      byStatus: Object.fromEntries(
        [...groupBy(deliveries, ({ status }) => status)].map(([status, { length }]) => [status, length]),
      ),
      duplicates: [...received.values()].reduce((sum, ofMessage) => sum + countDuplicates(ofMessage), 0),
      missing: [...this.#expected].flatMap((key) => findMissing(key, known.get(key)?.[0], received)),
      unexpected: [
        ...deliveries
          .filter((delivery) => !this.#expected.has(pair(delivery.event_id, delivery.subscription_id)))
          .map((delivery) => `delivery of ${describe(delivery)}`),
        ...[...known.values()]
          .filter(({ length }) => length > 1)
          .map(([first]) => `${first ? describe(first) : ''} more than once`),
        ...receptions
          .filter(({ messageId, subscriptionId }) => messageIds.get(messageId)?.subscription_id !== subscriptionId)
          .map(({ messageId }) => `message ${messageId}`),
      ],
      changedBodies: [...received]
        .filter(([, ofMessage]) => new Set(ofMessage.map(({ bodyHash }) => bodyHash)).size > 1)
        .map(([messageId]) => messageId),
      sequenceGaps: [...groupBy(deliveries, ({ subscription_id }) => subscription_id)].flatMap(([id, ofOne]) =>
        gapsOf(id, ofOne),
      ),
      badSignatures,
    };
  }
}

const pair = (eventId: number, subscriptionId: number): string => `event ${eventId}, subscription ${subscriptionId}`;
const describe = (delivery: DeliveryRecord): string =>
  `${pair(delivery.event_id, delivery.subscription_id)} (${delivery.status})`;

/**
 * Returns the number of duplicates of a message. It is the number of its requests that were accepted or not answered,
 * minus one.
 */
const countDuplicates = (ofMessage: readonly Reception[]): number =>
  Math.max(0, ofMessage.filter(({ statusCode }) => statusCode === null || isSuccess(statusCode)).length - 1);

function findMissing(
  key: string,
  delivery: DeliveryRecord | undefined,
  received: ReadonlyMap<string, readonly Reception[]>,
): string[] {
  if (!delivery) return [`${key}: no delivery`];
  if (!FINAL.includes(delivery.status)) return [`${key}: still ${delivery.status}`];
  // A request without a stored status code counts as accepted, because the notifier may get the answer before the
  // receiver stores the code.
  const hasArrived =
    received.get(delivery.message_id)?.some(({ statusCode }) => statusCode === null || isSuccess(statusCode)) === true;
  return delivery.status === 'delivered' && !hasArrived ? [`${key}: marked as delivered, but never arrived`] : [];
}

function gapsOf(subscriptionId: number, deliveries: readonly DeliveryRecord[]): string[] {
  const sequences = deliveries.map(({ sequence }) => sequence).sort((a, b) => a - b);
  const at = sequences.findIndex((sequence, index) => sequence !== index + 1);
  return at === -1 ? [] : [`subscription ${subscriptionId}: ${sequences[at]} where ${at + 1} was expected`];
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
