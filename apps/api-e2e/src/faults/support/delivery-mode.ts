import { type DeliveryRecord, groupBy } from './ledger.js';
import { type Reception } from './destination.js';

/** The delivery modes in which fault tests run. In `plain`, each subscription has an endpoint of its own. */
export const MODES = ['plain', 'batch', 'strict', 'throttle'] as const;
export type Mode = (typeof MODES)[number];

const BATCH = { max: 10, wait_ms: 200 };
const THROTTLE = { limit: 5, per_s: 1 };

interface ModeRules {
  /** The properties that the endpoints of the mode have. Null when each subscription has an endpoint of its own. */
  readonly endpoint: Readonly<Record<string, unknown>> | null;
  /** Maximum number of messages of a subscription that are in flight. A killed process may repeat all of them. */
  readonly inFlight: number;
  /** The promised order of messages, which the test checks: the `ordering` of the endpoints. */
  readonly order: 'subject' | 'strict' | null;
}

export const RULES: Readonly<Record<Mode, ModeRules>> = {
  plain: { endpoint: null, inFlight: 4, order: 'subject' },
  batch: { endpoint: { batch: BATCH }, inFlight: 4 * BATCH.max, order: 'subject' },
  strict: { endpoint: { ordering: 'strict' }, inFlight: 1, order: 'strict' },
  throttle: { endpoint: { throttle: THROTTLE }, inFlight: 4, order: 'subject' },
};

/**
 * The promises of a mode that were broken, besides the rules that every test checks. Both lists are empty when all
 * promises were kept.
 */
export interface ModeVerdict {
  /** Messages that arrived before an earlier message was accepted. */
  readonly outOfOrder: readonly string[];
  /** Requests above the throttle, and requests with more messages than a batch may have. */
  readonly excess: readonly string[];
  /** The largest value that was seen for the mode's limit, such as the largest number of requests in a window. */
  readonly note: string | null;
}

/** Compares all requests with the promises of a mode. */
export function judgeMode(
  mode: Mode,
  deliveries: readonly DeliveryRecord[],
  receptions: readonly Reception[],
): ModeVerdict {
  const { order } = RULES[mode];
  const unsent = new Set(deliveries.flatMap(({ status, message_id }) => (status === 'delivered' ? [] : [message_id])));
  const ordered = receptions.filter(({ messageId }) => !unsent.has(messageId));
  const limits = mode === 'throttle' ? ofThrottle(receptions) : mode === 'batch' ? ofBatches(receptions) : NO_LIMITS;
  return { outOfOrder: order ? disorderOf(ordered, order) : [], ...limits };
}

const NO_LIMITS: Omit<ModeVerdict, 'outOfOrder'> = { excess: [], note: null };

/**
 * Finds messages that arrived before the previous message was accepted. The messages of a batch count as accepted in
 * their order. Repetitions are ignored, because a message may be repeated at any time.
 * Source: docs/reference/notifications.md, "Delivery modes".
 */
function disorderOf(receptions: readonly Reception[], order: 'subject' | 'strict'): string[] {
  const keyOf = ({ subscriptionId, subjectId }: Reception): string =>
    `subscription ${subscriptionId}${order === 'subject' ? `, subject ${subjectId}` : ''}`;
  return [...groupBy(receptions, keyOf)].flatMap(([key, ofKey]) => {
    const messages = [...groupBy(ofKey, ({ messageId }) => messageId).values()].map((ofMessage) => ({
      sequence: ofMessage[0]?.sequence ?? 0,
      arrivals: ofMessage.map(({ arrived }) => arrived).sort((a, b) => a - b),
      accepted: Math.min(...ofMessage.map(({ accepted }) => accepted ?? Infinity)),
    }));
    messages.sort((a, b) => a.sequence - b.sequence);
    return messages.flatMap(({ sequence, arrivals: [arrived = 0] }, index) => {
      const before = messages[index - 1];
      if (!before || before.accepted < arrived || before.arrivals.includes(arrived)) return [];
      return [`${key}: ${sequence} before ${before.sequence} was accepted`];
    });
  });
}

/** Finds the requests that exceed `limit` in the `per_s` seconds before them. */
function ofThrottle(receptions: readonly Reception[]): typeof NO_LIMITS {
  const { limit, per_s } = THROTTLE;
  let most = 0;
  const excess = [...groupBy(receptions, ({ subscriptionId }) => subscriptionId)].flatMap(([id, ofOne]) => {
    const times = ofOne.map(({ at }) => at).sort((a, b) => a - b);
    return times.flatMap((time, index) => {
      const inWindow = index + 1 - times.findIndex((earlier) => earlier > time - per_s * 1_000);
      most = Math.max(most, inWindow);
      return inWindow > limit ? [`subscription ${id}: ${inWindow} requests in ${per_s} s`] : [];
    });
  });
  return { excess, note: `at most ${most} of ${limit} requests in any ${per_s} s` };
}

/** Finds requests that have more messages than a batch may have, or messages in the wrong order. */
function ofBatches(receptions: readonly Reception[]): typeof NO_LIMITS {
  const batches = [...groupBy(receptions, ({ arrived }) => arrived).values()];
  const sizes = batches.map(({ length }) => length);
  const excess = [
    ...sizes.filter((size) => size > BATCH.max).map((size) => `${size} messages in one request`),
    ...batches
      .map((batch) => batch.map(({ sequence }) => sequence))
      .filter((sequences) => sequences.some((sequence, index) => sequence <= (sequences[index - 1] ?? 0)))
      .map((sequences) => `a batch with the sequences ${sequences.join(', ')}`),
  ];
  return { excess, note: `at most ${Math.max(0, ...sizes)} of ${BATCH.max} messages in one request` };
}
