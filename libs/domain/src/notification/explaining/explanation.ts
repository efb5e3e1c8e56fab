import { datapathIn, type ExplainedPart, explainExpression, violationMessage } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type Database } from '@ats/postgres';
import { type EventSubject, EVENT_ROOTS } from '../../objects/event-types.js';
import { modelForTexts } from '../../facts/form-items.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { explainSubscription } from './explain-subscription.js';
import {
  type ExplainedEvent,
  MAX_EXPLAINED_SUBSCRIPTIONS,
  readExplainedEvent,
  readRevision,
  readSubscriptionHistories,
} from './explanation-rows.js';
import { contextOf, type RunRows, sourceOf } from './evaluated-event.js';
import { holds, type EvaluatedTopic, prepareTopic } from './evaluation.js';
import { type TopicRevision } from './revisions.js';
import { shownValue } from '../../facts/shown-value.js';
import { subscriptionUrl } from '../../objects/subscription-url.js';

export const EXPLAINED_STEPS = ['type', 'expression', 'window', 'status', 'delivery'] as const;

/** The result of one of the steps from an event to its message. */
export interface Verdict {
  readonly step: (typeof EXPLAINED_STEPS)[number];
  /** True when the event passed the step. Null when that is unknown. */
  readonly ok: boolean | null;
  readonly info: Message;
  /**
   * The subscription that the verdict is about, in the steps `window`, `status` and `delivery`. Null for a verdict
   * about the whole topic.
   */
  readonly subscription: { readonly id: number; readonly url: string } | null;
  /** The parts of the expression with their values, in the step `expression`. Null in all other steps. */
  readonly parts: readonly VerdictPart[] | null;
}

export interface VerdictPart {
  readonly text: string;
  /**
   * Maps each datapath of this part of the expression to its value. Long values are shortened, see {@link shownValue}.
   */
  readonly values: Readonly<Record<string, unknown>>;
  /** Null when a value that decides the result is not stored. */
  readonly result: boolean | null;
  /** Datapaths that the snapshot of the event lacked. Their values were read when the event was matched. */
  readonly read_late: readonly string[];
  /** Datapaths whose value was never stored, or was removed when a person was anonymised. */
  readonly not_recorded: readonly string[];
  /** The operands of an AND, OR or NOT; null for other parts. */
  readonly parts: readonly VerdictPart[] | null;
}

/** The answer to an explanation request. Source: docs/reference/notifications.md, "Explanations". */
export interface Explanation {
  readonly event_id: number;
  /** True when a destination has accepted the message. Null when the deliveries of the event's day were deleted. */
  readonly notified: boolean | null;
  readonly verdicts: readonly Verdict[];
}

export interface ExplainedTopic {
  readonly explanation: Explanation;
  /** The object type with which `datapaths` begin. */
  readonly root: EventSubject;
  /** The datapaths, including their root, whose values are shown. The client needs the scopes for all of them. */
  readonly datapaths: readonly string[];
}

/**
 * Explains why an event was or was not notified to the subscriptions of a topic. It uses the values and revisions from
 * the time of matching. So a later explanation differs only in the state of the deliveries.
 * @param topicId  the id of an existing topic
 * @throws {NotFoundError} when there is no such event
 * Source: docs/reference/notifications.md, "Explanations".
 */
export async function explainEvent(
  database: Database,
  { topicId, eventId }: { readonly topicId: number; readonly eventId: number },
  { baseUrl }: Pick<ReadSettings, 'baseUrl'>,
): Promise<ExplainedTopic> {
  const run: RunRows = (text, parameters) => database.reading.query({ text, parameters });
  const matching = await readExplainedEvent(run, eventId);
  const { revision, isLater } = await readRevision(run, topicId, matching);
  const topic = prepareTopic(
    revision,
    await modelForTexts(run, revision.expression === null ? [] : [revision.expression]),
  );
  const datapaths = topic.compiled?.datapaths ?? [];
  const event = await readExplainedEvent(run, eventId, datapaths);
  const type = explainType(event, revision);
  const shown = { root: EVENT_ROOTS[revision.type], datapaths: [...new Set(datapaths.map(datapathIn))] };
  if (!type.ok)
    return { ...shown, datapaths: [], explanation: { event_id: eventId, notified: false, verdicts: [type] } };
  const result = holds(topic, event);
  const histories = await readSubscriptionHistories(database, run, topicId, event);
  const subscriptions = histories.map((history) => explainSubscription(event, history, result));
  const ofSubscriptions = histories.flatMap(({ id }, index) => {
    const subscription = { id, url: subscriptionUrl(baseUrl, topicId, id) };
    return (subscriptions[index]?.verdicts ?? []).map(
      (verdict): Verdict => ({ ...verdict, subscription, parts: null }),
    );
  });
  const verdicts = [
    type,
    explainTopicExpression(event, topic, isLater),
    ...ofSubscriptions,
    ...explainRest(event, histories.length),
  ];
  return {
    ...shown,
    explanation: { event_id: eventId, notified: anyOf(subscriptions.map(({ notified }) => notified)), verdicts },
  };
}

const anyOf = (outcomes: readonly (boolean | null)[]): boolean | null =>
  outcomes.includes(true) ? true : outcomes.includes(null) ? null : false;

const ofTopic = (step: Verdict['step'], ok: boolean | null, info: Message): Verdict => ({
  step,
  ok,
  info,
  subscription: null,
  parts: null,
});

const explainType = ({ type }: ExplainedEvent, revision: TopicRevision): Verdict =>
  ofTopic(
    'type',
    type === revision.type,
    type === revision.type
      ? message`the event has the type ${type}, as the topic requires`
      : message`the event has the type ${type}, but the topic is for ${revision.type}`,
  );

function explainTopicExpression(event: ExplainedEvent, topic: EvaluatedTopic, isLater: boolean): Verdict {
  const { compiled, violation, revision } = topic;
  const reasons = (violation?.violations ?? []).map(violationMessage);
  if (!compiled)
    return ofTopic(
      'expression',
      null,
      message`revision ${revision.revision} of the topic can no longer be evaluated: ${reasons}`,
    );
  const { parts } = explainExpression(compiled.checked, contextOf(event));
  const ok = holds(topic, event);
  const result = parts.length === 0 ? message`every event of the type matches` : describeResult(ok);
  const info = isLater
    ? message`${result}; evaluated with revision ${revision.revision} of the topic, written after the event was matched`
    : message`${result}; evaluated with revision ${revision.revision} of the topic`;
  return { ...ofTopic('expression', ok, info), parts: parts.map((part) => toVerdictPart(event, part)) };
}

function describeResult(holds: boolean | null): Message {
  if (holds === null) return message`unknown: a value that decides the result is not stored`;
  return holds ? message`the expression holds` : message`the expression does not hold`;
}

function toVerdictPart(event: ExplainedEvent, { text, values, result, parts }: ExplainedPart): VerdictPart {
  const shown = Object.fromEntries(Object.entries(values).map(([datapath, value]) => [datapath, shownValue(value)]));
  const from = (...sources: ReturnType<typeof sourceOf>[]): string[] =>
    Object.keys(values).filter((datapath) => sources.includes(sourceOf(event, datapath)));
  return {
    text,
    values: shown,
    result,
    read_late: from('late'),
    not_recorded: from('none', 'blanked'),
    parts: parts ? parts.map((part) => toVerdictPart(event, part)) : null,
  };
}

/**
 * Returns a last verdict if the event is not matched, if the topic has no subscriptions, or if not all subscriptions
 * are listed.
 */
function explainRest({ status, tries }: ExplainedEvent, subscriptions: number): readonly Verdict[] {
  if (status === 'new')
    return [ofTopic('delivery', false, message`the event has not been matched yet: it waits for the notifier`)];
  if (status === 'quarantined')
    return [
      ofTopic(
        'delivery',
        false,
        message`the event is quarantined: matching it failed ${tries} times, no subscription was notified`,
      ),
    ];
  if (subscriptions === MAX_EXPLAINED_SUBSCRIPTIONS)
    return [ofTopic('window', null, message`only the first ${MAX_EXPLAINED_SUBSCRIPTIONS} subscriptions are listed`)];
  return subscriptions === 0
    ? [ofTopic('window', false, message`the topic had no subscription when the event was matched, and has none now`)]
    : [];
}
