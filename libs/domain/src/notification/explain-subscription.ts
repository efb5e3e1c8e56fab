import { type ExplainedDelivery, type ExplainedEvent, type SubscriptionHistory } from './explanation-rows.js';
import { isInWindow } from './judgement-history.js';

/** What a step says of one subscription. */
export interface SubscriptionVerdict {
  readonly step: 'window' | 'status' | 'delivery';
  readonly ok: boolean | null;
  readonly info: string;
}

export interface ExplainedSubscription {
  readonly verdicts: readonly SubscriptionVerdict[];
  /** Whether the destination has accepted the message; null when its log is kept no more. */
  readonly notified: boolean | null;
}

/**
 * What became of an event at one subscription of a topic.
 * @param holds  whether the topic's expression holds for the event; null when it cannot be said
 */
export function explainSubscription(event: ExplainedEvent, subscription: SubscriptionHistory, holds: boolean | null): ExplainedSubscription {
  const window = explainWindow(event, subscription);
  const { delivery } = subscription;
  if (subscription.is_later && !delivery) return { verdicts: [window], notified: false };
  const isExpected = event.status === 'done' && window.ok === true && holds !== false;
  const last = delivery ? explainDelivery(delivery) : isExpected ? explainAbsence(subscription, holds) : undefined;
  return { verdicts: [window, explainStatus(subscription), ...(last ? [last] : [])], notified: last ? last.ok : false };
}

const at = (moment: Date | string): string => new Date(moment).toISOString();

function explainWindow({ occurred_dt }: ExplainedEvent, { is_later, created_dt, active_from_dt, end_dt }: SubscriptionHistory): SubscriptionVerdict {
  const verdict = (ok: boolean, info: string): SubscriptionVerdict => ({ step: 'window', ok, info });
  const when = `the event happened at ${at(occurred_dt)}`;
  if (is_later) return verdict(false, `the subscription was created at ${at(created_dt)}, after the event was matched`);
  if (isInWindow({ active_from_dt, end_dt }, occurred_dt)) return verdict(true, `${when}, in the window from ${at(active_from_dt)} ${end_dt ? `to ${at(end_dt)}` : 'on'}`);
  return verdict(false, occurred_dt < active_from_dt ? `${when}, before the window begins at ${at(active_from_dt)}` : `${when}, not before the window ends at ${end_dt ? at(end_dt) : 'no time'}`);
}

/** Whether the subscription's being disabled or deleted stands in the way of the message. */
function explainStatus({ disabled_dt, disabled_reason, changed_dt, is_disabled_now, is_deleted_now, delivery }: SubscriptionHistory): SubscriptionVerdict {
  const isInTheWay = delivery ? delivery.accepted_dt === null && ['held', 'cancelled'].includes(delivery.status) : disabled_dt !== null;
  const then = disabled_dt ? `disabled since ${at(disabled_dt)} (${disabled_reason ?? ''}) when the event was matched: what matches is held` : 'enabled when the event was matched';
  const later = is_deleted_now ? `deleted at ${at(changed_dt)}` : is_disabled_now ? (disabled_dt ? '' : 'disabled now') : disabled_dt ? 'enabled again since' : '';
  return { step: 'status', ok: !isInTheWay, info: [then, later].filter(Boolean).join('; ') };
}

function explainDelivery(delivery: ExplainedDelivery): SubscriptionVerdict {
  const { status, accepted_dt } = delivery;
  if (status === 'delivered' || accepted_dt === null) return { step: 'delivery', ok: status === 'delivered', info: describeDelivery(delivery) };
  return { step: 'delivery', ok: true, info: `accepted by the attempt of ${at(accepted_dt)}, and sent again since: ${describeDelivery(delivery)}` };
}

function describeDelivery({ status, attempts, last_status_code, last_error, next_attempt_dt, finished_dt }: ExplainedDelivery): string {
  const failure = last_error === null ? '' : `; the last one failed: ${last_error}${last_status_code === null ? '' : ` (${last_status_code})`}`;
  const end = finished_dt ? ` at ${at(finished_dt)}` : '';
  switch (status) {
    case 'delivered':
      return `delivered${end}, attempts: ${attempts}${last_status_code === null ? '' : `, answered with ${last_status_code}`}`;
    case 'due':
      return `due${next_attempt_dt ? ` at ${at(next_attempt_dt)}` : ''}, attempts so far: ${attempts}${failure}`;
    case 'sending':
      return `attempt ${attempts} is under way`;
    case 'held':
      return `held until the subscription is enabled, attempts so far: ${attempts}${failure}`;
    case 'exhausted':
      return `given up${end}, attempts: ${attempts}${failure}`;
    default:
      return `${status}${end}, attempts: ${attempts}${failure}`;
  }
}

function explainAbsence({ isLogKept }: SubscriptionHistory, holds: boolean | null): SubscriptionVerdict {
  if (!isLogKept) return { step: 'delivery', ok: null, info: 'the log of deliveries of that day is kept no more' };
  const info = holds === null ? 'no delivery was made' : 'no delivery was made, although one had to be: a fault of the service';
  return { step: 'delivery', ok: false, info };
}
