import { type CompiledExpression, DatapathError } from '@ats/datapath';
import { type DomainModel } from '../../objects/object-model.js';
import { contextOf, type EvaluatedEvent, sourceOf } from './evaluated-event.js';
import { isInForce, isInWindow, type SubscriptionRevision, type TopicRevision } from './revisions.js';
import { checkTopicExpression } from '../topics/topic-expression.js';

/**
 * Says once more, from what was stored, who had to be told of an event: one topic after the other, without the index by which
 * matching finds them. Explanations and the reconciliation of deliveries rest on it.
 */

/** A revision of a topic, ready to be judged; without an expression when the object model no longer knows what it names. */
export interface EvaluatedTopic {
  readonly revision: TopicRevision;
  readonly compiled: CompiledExpression | null;
  /** What is wrong with an expression that can be judged no longer. */
  readonly fault: DatapathError | null;
}

/** @param model  with the form items that the expression names */
export function prepareTopic(revision: TopicRevision, model: DomainModel): EvaluatedTopic {
  try {
    return { revision, compiled: checkTopicExpression(revision.type, revision.expression, model), fault: null };
  } catch (error) {
    if (error instanceof DatapathError) return { revision, compiled: null, fault: error };
    throw error;
  }
}

/**
 * Whether the topic's type and expression hold for the event.
 * @returns null when it cannot be said any more: it depends on a value that is not stored, or names what no longer exists
 */
export function holds({ revision, compiled }: EvaluatedTopic, event: EvaluatedEvent): boolean | null {
  if (revision.type !== event.type) return false;
  if (!compiled) return null;
  const truth = compiled.evaluate(contextOf(event));
  if (truth !== undefined) return truth;
  // With every value at hand it is the limits of the language that end a judgement, then as in matching: it does not hold.
  return compiled.datapaths.some((datapath) => ['none', 'blanked'].includes(sourceOf(event, datapath))) ? null : false;
}

export interface ExpectedDeliveries {
  readonly subscriptionIds: readonly number[];
  /** False: it cannot be said any more whether they must have a delivery. */
  readonly isCertain: boolean;
}

const NOBODY: ExpectedDeliveries = { subscriptionIds: [], isCertain: true };

/**
 * Which subscriptions of a topic must have a delivery of an event, because of this revision.
 * @param version  of the topic index, when the event was matched
 */
export function findExpectedDeliveries(
  event: EvaluatedEvent,
  version: number,
  topic: EvaluatedTopic,
  subscriptions: readonly SubscriptionRevision[],
): ExpectedDeliveries {
  if (!isInForce(topic.revision, version)) return NOBODY;
  const inWindow = subscriptions.filter(
    (subscription) =>
      isInForce(subscription, version) && !subscription.is_deleted && isInWindow(subscription, event.occurred_dt),
  );
  if (inWindow.length === 0) return NOBODY;
  const result = holds(topic, event);
  return result === false
    ? NOBODY
    : { subscriptionIds: inWindow.map(({ subscription_id }) => subscription_id), isCertain: result === true };
}
