import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Database } from '@ats/postgres';
import { modelForTexts } from '../../facts/form-items.js';
import { groupBy } from '../../rules/form/group-by.js';
import { type RunRows } from './evaluated-event.js';
import { findExpectedDeliveries, prepareTopic } from './evaluation.js';
import { readSubscriptionRevisions, readTopicRevisions } from './revisions.js';
import {
  type MatchedEvent,
  readDeliveries,
  readFullEvents,
  readKept,
  readMatchedEvents,
  readTopicSlice,
  type ReconciliationCursor,
  type TopicSlice,
} from './reconciliation-rows.js';

export interface ReconciliationOptions {
  /** The cursor that the last step returned. Null begins with the oldest matched event. */
  readonly after: ReconciliationCursor | null;
  readonly maxEvents: number;
  /** The maximum number of topics in one step. If there are more, each step takes the next ones. */
  readonly maxTopics?: number;
}

export interface UnreconciledPair {
  readonly kind: 'missing' | 'unexpected';
  readonly eventId: number;
  readonly subscriptionId: number;
}

export interface Reconciliation {
  /** The number of events that the step checked; 0 when there is nothing to check now. */
  readonly checked: number;
  /** The number of topics against which each event was checked. */
  readonly topics: number;
  /** True when the step compared the events with all topics that ever had a subscription. */
  readonly isComplete: boolean;
  /** Number of pairs of an event and a subscription that must have a delivery but have none. */
  readonly missing: number;
  /** Number of pairs of an event and a subscription that have a delivery but must have none. */
  readonly unexpected: number;
  /**
   * Number of pairs of an event and a subscription whose result is unknown, because values were removed or a form item
   * was deleted.
   */
  readonly undecided: number;
  /** The first {@link MAX_EXAMPLES} pairs that `missing` and `unexpected` count. */
  readonly examples: readonly UnreconciledPair[];
  readonly cursor: ReconciliationCursor | null;
}

const MAX_TOPICS = 1_000;
/**
 * Maximum number of evaluations in one step: its events times its topics. That many evaluations take some tenths of a
 * second.
 */
const MAX_EVALUATIONS = 100_000;
const MAX_EXAMPLES = 20;
/** Number of topics that are compiled or evaluated before the event loop runs other work. */
const TOPICS_AT_ONCE = 20;

/**
 * Runs one step of the reconciliation. It compares the stored deliveries with the expected ones, which it finds without
 * the topic index of matching. A step takes the next events in the order of matching and compares them with a part of
 * the topics. It leaves out events of the last minute, events whose deliveries were deleted, and test messages. The
 * cost of a step does not grow with the number of events or topics.
 * Source: docs/reference/notifications.md, "Reconciliation".
 */
export async function reconcileDeliveries(
  database: Database,
  { after, maxEvents, maxTopics = MAX_TOPICS }: ReconciliationOptions,
): Promise<Reconciliation> {
  const run: RunRows = (text, parameters) => database.query(text, parameters);
  const events = await readMatchedEvents(run, after, maxEvents);
  const last = events.at(-1);
  if (!last)
    return {
      checked: 0,
      topics: 0,
      isComplete: true,
      missing: 0,
      unexpected: 0,
      undecided: 0,
      examples: [],
      cursor: after,
    };
  const slice = await readTopicSlice(
    run,
    after?.topicId ?? 0,
    Math.max(1, Math.min(maxTopics, Math.floor(MAX_EVALUATIONS / events.length))),
  );
  const expected = await findExpectedPairs(run, events, slice.ids);
  const actual = await readDeliveries(run, events, slice);
  // The stored days must be read after the deliveries. Otherwise retention could delete a day between both reads, and
  // all deliveries of that day would count as missing.
  const kept = await readKept(database, events);
  const cursor = { matchedDt: last.matched_dt, eventId: last.id, topicId: slice.to ?? 0 };
  return {
    checked: kept.size,
    topics: slice.ids.length,
    isComplete: isWhole(slice),
    ...compare(expected, actual, kept),
    cursor,
  };
}

const isWhole = ({ from, to }: TopicSlice): boolean => from === 0 && to === null;

/**
 * An event and a subscription that must have a delivery of this event. When `isCertain` is false, it is unknown whether
 * the delivery must exist.
 */
interface ExpectedPair {
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly isCertain: boolean;
}

/** Maps the {@link keyOf} of each expected pair to the pair. */
type ExpectedPairs = ReadonlyMap<string, ExpectedPair>;

const keyOf = (eventId: number, subscriptionId: number): string => `${eventId} ${subscriptionId}`;

async function findExpectedPairs(
  run: RunRows,
  events: readonly MatchedEvent[],
  topicIds: readonly number[],
): Promise<ExpectedPairs> {
  const versions = events.map(({ matched_version }) => matched_version);
  const range = { from: Math.min(...versions), to: Math.max(...versions) };
  const types = new Set(events.map(({ type }) => type));
  const revisions = (await readTopicRevisions(run, topicIds, range)).filter(({ type }) => types.has(type));
  const model = await modelForTexts(
    run,
    revisions.flatMap(({ expression }) => expression ?? []),
  );
  const topics = [];
  for (const [index, revision] of revisions.entries()) {
    if (index % TOPICS_AT_ONCE === 0) await letOthersRun();
    topics.push(prepareTopic(revision, model));
  }
  const subscriptions = groupBy(await readSubscriptionRevisions(run, topicIds, range), ({ topic_id }) => topic_id);
  const fullEvents = await readFullEvents(
    run,
    events,
    topics.flatMap(({ compiled }) => compiled?.datapaths ?? []),
  );
  const pairs = new Map<string, ExpectedPair>();
  for (const [index, topic] of topics.entries()) {
    if (index % TOPICS_AT_ONCE === 0) await letOthersRun();
    for (const event of fullEvents) {
      const { subscriptionIds, isCertain } = findExpectedDeliveries(
        event,
        event.matched_version,
        topic,
        subscriptions.get(topic.revision.topic_id) ?? [],
      );
      for (const id of subscriptionIds)
        pairs.set(keyOf(event.id, id), { eventId: event.id, subscriptionId: id, isCertain });
    }
  }
  return pairs;
}

type Differences = Pick<Reconciliation, 'missing' | 'unexpected' | 'undecided' | 'examples'>;

function compare(
  expected: ExpectedPairs,
  deliveries: Awaited<ReturnType<typeof readDeliveries>>,
  kept: ReadonlySet<number>,
): Differences {
  const actual = new Set(deliveries.map(({ event_id, subscription_id }) => keyOf(event_id, subscription_id)));
  const unexpected = deliveries
    .filter(({ event_id, subscription_id }) => !expected.has(keyOf(event_id, subscription_id)))
    .map(
      ({ event_id, subscription_id }): UnreconciledPair => ({
        kind: 'unexpected',
        eventId: event_id,
        subscriptionId: subscription_id,
      }),
    );
  const known = [...expected].filter(([, { eventId }]) => kept.has(eventId));
  const missing = known
    .filter(([key, { isCertain }]) => isCertain && !actual.has(key))
    .map(([, { eventId, subscriptionId }]): UnreconciledPair => ({ kind: 'missing', eventId, subscriptionId }));
  return {
    missing: missing.length,
    unexpected: unexpected.length,
    undecided: known.filter(([, { isCertain }]) => !isCertain).length,
    examples: [...missing, ...unexpected].slice(0, MAX_EXAMPLES),
  };
}
