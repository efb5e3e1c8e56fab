import { type CachedSubscription, type CachedTopic, type TopicCache } from './topic-cache.js';
import { type ClaimedEvent, type EventWithFacts } from './claimed-events.js';

/** Reads what an event does not carry; null when its subject is gone. */
export type ReadLateFacts = (
  event: ClaimedEvent,
  datapaths: readonly string[],
) => Promise<Readonly<Record<string, unknown>> | null>;

export interface Match {
  readonly topic: CachedTopic;
  readonly subscription: CachedSubscription;
}

export interface Judgement {
  readonly matches: readonly Match[];
  /** What was read at this moment because the event did not carry it; null when nothing was. */
  readonly lateFacts: Readonly<Record<string, unknown>> | null;
}

/**
 * Which subscriptions are to be told of an event: judged on its own facts and its own time. Only when a topic cannot be
 * decided without a value that the event lacks, that value is read now, and is part of the answer.
 * Source: CONTRACT.md 8 (windows, facts and clock of the event).
 */
export async function judgeEvent(
  event: EventWithFacts,
  cache: TopicCache,
  readLateFacts: ReadLateFacts,
): Promise<Judgement> {
  const index = cache.index(event.type);
  if (!index) return { matches: [], lateFacts: null };
  const missing = new Set<string>();
  const judge = (facts: Readonly<Record<string, unknown>>): ReturnType<typeof index.judge> =>
    index.judge({
      now: event.occurred_dt,
      timeZone: event.time_zone,
      valueOf: (datapath) => valueOf(facts, datapath, missing),
    });
  const first = judge(event.facts);
  if (first.unknown.length === 0 || missing.size === 0)
    return { matches: inWindow(event, cache, first.matched), lateFacts: null };
  const wanted = [...missing];
  const read = await readLateFacts(event, wanted);
  const lateFacts = Object.fromEntries(wanted.map((datapath) => [datapath, read?.[datapath] ?? null]));
  return { matches: inWindow(event, cache, judge({ ...lateFacts, ...event.facts }).matched), lateFacts };
}

/** Throws for a value that is not there, which makes the topics that depend on it undecided instead of unmatched. */
function valueOf(facts: Readonly<Record<string, unknown>>, datapath: string, missing: Set<string>): unknown {
  if (Object.hasOwn(facts, datapath)) return facts[datapath];
  missing.add(datapath);
  throw new Error(`not carried: ${datapath}`);
}

function inWindow(event: ClaimedEvent, cache: TopicCache, topicIds: readonly number[]): Match[] {
  const occurred = event.occurred_dt.getTime();
  return topicIds.flatMap((id) => {
    const topic = cache.topic(id);
    if (!topic) return [];
    return topic.subscriptions
      .filter(({ activeFrom, end }) => activeFrom <= occurred && (end === null || occurred < end))
      .map((subscription) => ({ topic, subscription }));
  });
}
