import { readPast } from '@ats/datapath';
import { isAboutItself } from '@ats/domain';
import { type CachedSubscription, type CachedTopic, type TopicCache } from './topic-cache.js';
import { type ClaimedEvent, type EventWithSnapshot } from './claimed-events.js';

/** Reads current values of the subject that the snapshot of the event lacks. Null when the subject was deleted. */
export type ReadLateValues = (
  event: ClaimedEvent,
  datapaths: readonly string[],
) => Promise<Readonly<Record<string, unknown>> | null>;

export interface Match {
  readonly topic: CachedTopic;
  readonly subscription: CachedSubscription;
}

export interface Evaluation {
  readonly matches: readonly Match[];
  /** Values that were read now, because the snapshot lacks them. Null when none was read. */
  readonly lateValues: Readonly<Record<string, unknown>> | null;
}

/**
 * Finds the subscriptions that match an event. It evaluates topics with the snapshot and the time of the event
 * (docs/reference/notifications.md). It reads a value that the snapshot lacks only when a topic cannot be decided
 * without it.
 */
export async function evaluateEvent(
  event: EventWithSnapshot,
  cache: TopicCache,
  readLateValues: ReadLateValues,
): Promise<Evaluation> {
  const index = cache.index(event.type);
  if (!index) return { matches: [], lateValues: null };
  const missing = new Set<string>();
  const evaluate = (facts: Readonly<Record<string, unknown>>): ReturnType<typeof index.evaluate> =>
    index.evaluate({
      now: event.occurred_dt,
      timeZone: event.time_zone,
      valueOf: (datapath) => valueOf(facts, datapath, missing),
    });
  const first = evaluate(event.facts);
  if (first.unknown.length === 0 || missing.size === 0)
    return { matches: inWindow(event, cache, first.matched), lateValues: null };
  const wanted = [...missing];
  const read = await readLateValues(event, wanted);
  const lateValues = Object.fromEntries(wanted.map((datapath) => [datapath, read?.[datapath] ?? null]));
  return { matches: inWindow(event, cache, evaluate({ ...lateValues, ...event.facts }).matched), lateValues };
}

/**
 * Returns a value of the snapshot. Throws when the snapshot lacks the value, so that the result of a topic that depends
 * on the value is unknown, and not false.
 */
function valueOf(facts: Readonly<Record<string, unknown>>, datapath: string, missing: Set<string>): unknown {
  if (Object.hasOwn(facts, datapath)) return facts[datapath];
  // A missing former value is not added to `missing`, because it cannot be read later. The result stays unknown.
  if (!readPast(datapath)) missing.add(datapath);
  throw new Error(`the snapshot of the event lacks the value of ${datapath}`);
}

function inWindow(event: EventWithSnapshot, cache: TopicCache, topicIds: readonly number[]): Match[] {
  const occurred = event.occurred_dt.getTime();
  return topicIds.flatMap((id) => {
    const topic = cache.topic(id);
    if (!topic) return [];
    return topic.subscriptions
      .filter(({ activeFrom, end }) => activeFrom <= occurred && (end === null || occurred < end))
      .filter((subscription) => !isAboutItself(event, subscription.id))
      .map((subscription) => ({ topic, subscription }));
  });
}
