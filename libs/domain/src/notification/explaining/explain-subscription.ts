import { type Message, message } from '@ats/message';
import { isAboutItself } from '../../objects/event-subjects.js';
import { type ExplainedDelivery, type ExplainedEvent, type SubscriptionHistory } from './explanation-rows.js';
import { isInWindow } from './revisions.js';

/** The verdict of one step of an explanation about one subscription. */
export interface SubscriptionVerdict {
  readonly step: 'window' | 'status' | 'delivery';
  readonly ok: boolean | null;
  readonly info: Message;
}

export interface ExplainedSubscription {
  readonly verdicts: readonly SubscriptionVerdict[];
  /** True when the destination has accepted the message. Null when the deliveries of the event's day were deleted. */
  readonly notified: boolean | null;
}

/**
 * Explains what happened to an event at one subscription of a topic.
 * @param holds  true when the topic's expression holds for the event; null when that is unknown
 */
export function explainSubscription(
  event: ExplainedEvent,
  subscription: SubscriptionHistory,
  holds: boolean | null,
): ExplainedSubscription {
  const window = explainWindow(event, subscription);
  const { delivery } = subscription;
  if (subscription.is_later && !delivery) return { verdicts: [window], notified: false };
  if (!delivery && isAboutItself(event, subscription.id)) return { verdicts: [window, ABOUT_ITSELF], notified: false };
  const isExpected = event.status === 'done' && window.ok === true && holds !== false;
  const last = delivery ? explainDelivery(delivery) : isExpected ? explainAbsence(subscription, holds) : undefined;
  return { verdicts: [window, explainStatus(subscription), ...(last ? [last] : [])], notified: last ? last.ok : false };
}

const ABOUT_ITSELF: SubscriptionVerdict = {
  step: 'status',
  ok: false,
  info: message`the event is about this subscription: a subscription gets no messages about itself`,
};

const at = (moment: Date | string | null): string => (moment === null ? '—' : new Date(moment).toISOString());

function explainWindow(
  { occurred_dt }: ExplainedEvent,
  { is_later, created_dt, active_from_dt, end_dt }: SubscriptionHistory,
): SubscriptionVerdict {
  const verdict = (ok: boolean, info: Message): SubscriptionVerdict => ({ step: 'window', ok, info });
  const [moment, from, to] = [at(occurred_dt), at(active_from_dt), at(end_dt)];
  if (is_later)
    return verdict(false, message`the subscription was created at ${at(created_dt)}, after the event was matched`);
  if (isInWindow({ active_from_dt, end_dt }, occurred_dt)) {
    return verdict(
      true,
      end_dt
        ? message`the event happened at ${moment}, in the window from ${from} to ${to}`
        : message`the event happened at ${moment}, in the window from ${from} on`,
    );
  }
  return verdict(
    false,
    occurred_dt < active_from_dt
      ? message`the event happened at ${moment}, before the window begins at ${from}`
      : message`the event happened at ${moment}, but the window ended at ${to}`,
  );
}

/** Explains whether the message is held or cancelled because the subscription is disabled or deleted. */
function explainStatus(history: SubscriptionHistory): SubscriptionVerdict {
  const { disabled_dt, disabled_reason, delivery } = history;
  const isBlocking = delivery
    ? delivery.accepted_dt === null && ['held', 'cancelled'].includes(delivery.status)
    : disabled_dt !== null;
  const [since, why] = [at(disabled_dt), disabled_reason ?? '—'];
  const then = disabled_dt
    ? message`the subscription had been disabled since ${since} (${why}) when the event was matched: messages are held`
    : message`the subscription was enabled when the event was matched`;
  return { step: 'status', ok: !isBlocking, info: clauses(then, statusSince(history)) };
}

/**
 * Describes how the status of the subscription has changed since the event was matched. Undefined when it has not
 * changed.
 */
function statusSince({
  disabled_dt,
  changed_dt,
  is_disabled_now,
  is_deleted_now,
}: SubscriptionHistory): Message | undefined {
  if (is_deleted_now) return message`the subscription was deleted at ${at(changed_dt)}`;
  if (is_disabled_now === (disabled_dt !== null)) return undefined;
  return is_disabled_now
    ? message`the subscription is disabled now`
    : message`the subscription has been enabled again since then`;
}

function explainDelivery(delivery: ExplainedDelivery): SubscriptionVerdict {
  const { status, accepted_dt } = delivery;
  const info = clauses(describeDelivery(delivery), lastFailure(delivery));
  if (status === 'delivered' || accepted_dt === null) return { step: 'delivery', ok: status === 'delivered', info };
  const accepted = at(accepted_dt);
  return {
    step: 'delivery',
    ok: true,
    info: message`the destination accepted the attempt at ${accepted}; the message was sent again since then: ${info}`,
  };
}

function describeDelivery({
  status,
  attempts,
  last_status_code,
  next_attempt_dt,
  finished_dt,
}: ExplainedDelivery): Message {
  switch (status) {
    case 'delivered':
      return last_status_code === null
        ? message`delivered at ${at(finished_dt)}, attempts: ${attempts}`
        : message`delivered at ${at(finished_dt)}, attempts: ${attempts}, answered with ${last_status_code}`;
    case 'due':
      return message`due at ${at(next_attempt_dt)}, attempts so far: ${attempts}`;
    case 'sending':
      return message`attempt ${attempts} is running`;
    case 'held':
      return message`held until the subscription is enabled, attempts so far: ${attempts}`;
    case 'exhausted':
      return message`exhausted at ${at(finished_dt)}, attempts: ${attempts}`;
    case 'cancelled':
      return message`cancelled at ${at(finished_dt)}, attempts: ${attempts}`;
  }
}

function lastFailure({ status, last_status_code, last_error }: ExplainedDelivery): Message | undefined {
  if (last_error === null || status === 'delivered' || status === 'sending') return undefined;
  return last_status_code === null
    ? message`the last attempt failed: ${last_error}`
    : message`the last attempt failed: ${last_error} (${last_status_code})`;
}

function explainAbsence({ isLogKept }: SubscriptionHistory, holds: boolean | null): SubscriptionVerdict {
  if (!isLogKept) return { step: 'delivery', ok: null, info: message`the delivery log of that day has been deleted` };
  const info =
    holds === null
      ? message`no delivery was created`
      : message`no delivery was created, although one was required: an error of the service`;
  return { step: 'delivery', ok: false, info };
}

/** Joins two messages with a semicolon. Without a second message, returns the first message. */
const clauses = (first: Message, second: Message | undefined): Message =>
  second ? message`${first}; ${second}` : first;
