import { failSpan, type Span, startSpan } from '@ats/telemetry';
import { type AttemptOutcome } from './http/attempt-outcome.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';

/**
 * Starts the span of an attempt. It continues the trace of the request that raised the event, also in retries. The
 * destination does not get the trace context. The span has only the status code of the destination's answer.
 */
export const attemptSpan = (delivery: ClaimedDelivery): Span =>
  startSpan('POST notification', {
    kind: 'CLIENT',
    parent: delivery.traceparent,
    attributes: {
      'http.request.method': 'POST',
      'ats.delivery.id': delivery.id,
      'ats.delivery.attempt': delivery.attempts,
      'ats.event.id': delivery.event_id ?? undefined,
      'ats.subscription.id': delivery.subscription_id,
      'ats.message.id': delivery.message_id,
      'ats.request.id': delivery.request_id ?? undefined,
    },
  });

export function endAttempt(span: Span, { error, answer }: AttemptOutcome): void {
  span.setAttributes({ 'http.response.status_code': answer?.statusCode });
  if (error !== null) failSpan(span, error);
  span.end();
}
