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
  readFacts,
  readKept,
  readMatchedEvents,
  readTopicSlice,
  type ReconciliationCursor,
  type TopicSlice,
} from './reconciliation-rows.js';

export interface ReconciliationOptions {
  /** Where the last step ended; null begins with the oldest event whose deliveries are kept. */
  readonly after: ReconciliationCursor | null;
  readonly maxEvents: number;
  /** Topics that the events are checked against in one step, at most; with more of them each step takes the next ones. */
  readonly maxTopics?: number;
}

export interface UnreconciledPair {
  readonly kind: 'missing' | 'unexpected';
  readonly eventId: number;
  readonly subscriptionId: number;
}

export interface Reconciliation {
  /** Events that were checked; 0: there is nothing to check at present. */
  readonly checked: number;
  /** Topics that each of them was checked against. */
  readonly topics: number;
  /** Whether these were all topics there ever were. */
  readonly isComplete: boolean;
  /** Pairs of event and subscription that should have a delivery and have none. */
  readonly missing: number;
  /** Pairs that have a delivery and should have none. */
  readonly unexpected: number;
  /** Pairs of which it can be said no more: the facts are anonymised, or a form item is gone. */
  readonly undecided: number;
  /** The first few of the pairs that are wrong. */
  readonly examples: readonly UnreconciledPair[];
  readonly cursor: ReconciliationCursor | null;
}

const MAX_TOPICS = 1_000;
/** Events times topics in one step: some tenths of a second. */
const MAX_JUDGEMENTS = 100_000;
const MAX_EXAMPLES = 20;
/** Topics prepared or judged before others get a turn. */
const TOPICS_AT_ONCE = 20;

/**
 * One step of comparing deliveries with what they should be, judged once more without the index of topics that matching uses.
 * Takes the next events in the order in which they were matched, but for those of the last minute and those whose deliveries
 * are kept no more, and checks them against a slice of the topics: its cost grows with neither the number of events nor
 * that of topics. Pings are no matter of events and do not count.
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
    Math.max(1, Math.min(maxTopics, Math.floor(MAX_JUDGEMENTS / events.length))),
  );
  const expected = await judgeAll(run, events, slice.ids);
  const actual = await readDeliveries(run, events, slice);
  // Last, for what is dropped from now on was still there a moment ago.
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

/** A subscription that must have a delivery of an event, or, not certain, one of which it cannot be said. */
interface ExpectedPair {
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly isCertain: boolean;
}

/** By their keys. */
type ExpectedPairs = ReadonlyMap<string, ExpectedPair>;

const keyOf = (eventId: number, subscriptionId: number): string => `${eventId} ${subscriptionId}`;

async function judgeAll(
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
  const judged = await readFacts(
    run,
    events,
    topics.flatMap(({ compiled }) => compiled?.datapaths ?? []),
  );
  const pairs = new Map<string, ExpectedPair>();
  for (const [index, topic] of topics.entries()) {
    if (index % TOPICS_AT_ONCE === 0) await letOthersRun();
    for (const event of judged) {
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
