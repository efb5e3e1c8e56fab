import { type CompiledExpression, DatapathError } from '@ats/datapath';
import { type DomainModel } from '../../objects/object-model.js';
import { isAboutItself } from '../../objects/event-subjects.js';
import { contextOf, type EvaluatedEvent, isStored } from './evaluated-event.js';
import { isInForce, isInWindow, type SubscriptionRevision, type TopicRevision } from './revisions.js';
import { checkTopicExpression } from '../topics/topic-expression.js';

/**
 * This file finds from stored data the subscriptions that must have a delivery of an event. Explanations and the
 * reconciliation use it. It evaluates every topic and does not use the topic index of matching, so that it can find
 * errors of the index.
 */

/**
 * A compiled revision of a topic. `compiled` is null when the expression names something that was deleted, such as a
 * form item.
 */
export interface EvaluatedTopic {
  readonly revision: TopicRevision;
  readonly compiled: CompiledExpression | null;
  /** The error of an expression that is no longer valid. Null for a valid expression. */
  readonly violation: DatapathError | null;
}

/**
 * Compiles a revision.
 * @param model  includes the form items that the expression names
 */
export function prepareTopic(revision: TopicRevision, model: DomainModel): EvaluatedTopic {
  try {
    return { revision, compiled: checkTopicExpression(revision.type, revision.expression, model), violation: null };
  } catch (error) {
    if (error instanceof DatapathError) return { revision, compiled: null, violation: error };
    throw error;
  }
}

/**
 * Checks whether the event has the type of the topic and whether the topic's expression is true for the event.
 * @returns null when the result is unknown: it depends on a value that is not stored, or the expression names
 *   something that was deleted
 */
export function holds({ revision, compiled }: EvaluatedTopic, event: EvaluatedEvent): boolean | null {
  if (revision.type !== event.type) return false;
  return compiled && truthOf(compiled, event);
}

/**
 * Evaluates an expression for an event.
 * @returns null when the result depends on a value that is not stored
 */
export function truthOf(compiled: CompiledExpression, event: EvaluatedEvent): boolean | null {
  const truth = compiled.evaluate(contextOf(event));
  if (truth !== undefined) return truth;
  // The result is unknown for one of two reasons. Either a value is not stored, and this function returns null. Or the
  // evaluation exceeded a limit, which counts as false, as in matching.
  return compiled.datapaths.some((datapath) => !isStored(event, datapath)) ? null : false;
}

export interface ExpectedDeliveries {
  readonly subscriptionIds: readonly number[];
  /** False when it is unknown whether the subscriptions must have a delivery. */
  readonly isCertain: boolean;
}

const NO_DELIVERIES: ExpectedDeliveries = { subscriptionIds: [], isCertain: true };

/**
 * Finds the subscriptions that must have a delivery of the event because of this topic revision.
 * @param version  the version of the topic index when the event was matched
 */
export function findExpectedDeliveries(
  event: EvaluatedEvent,
  version: number,
  topic: EvaluatedTopic,
  subscriptions: readonly SubscriptionRevision[],
): ExpectedDeliveries {
  if (!isInForce(topic.revision, version)) return NO_DELIVERIES;
  const inWindow = subscriptions.filter(
    (subscription) =>
      isInForce(subscription, version) &&
      !subscription.is_deleted &&
      isInWindow(subscription, event.occurred_dt) &&
      !isAboutItself(event, subscription.subscription_id),
  );
  if (inWindow.length === 0) return NO_DELIVERIES;
  const result = holds(topic, event);
  return result === false
    ? NO_DELIVERIES
    : { subscriptionIds: inWindow.map(({ subscription_id }) => subscription_id), isCertain: result === true };
}
