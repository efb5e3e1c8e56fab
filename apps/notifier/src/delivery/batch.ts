import { type AttemptOutcome } from './http/attempt-outcome.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';

/** The result of one message of a batch. */
export interface BatchPart {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  /** True for all messages of the batch except one, because the batch counts as one attempt of its subscription. */
  readonly isCompanion: boolean;
}

/** Returns the body of a batch: a JSON array of the exact texts of the messages, even for a single message. */
export const batchBody = (messages: readonly Pick<ClaimedDelivery, 'body'>[]): string =>
  `[${messages.map(({ body }) => body).join(',')}]`;

/**
 * Returns the result of each message of a batch. Messages that the answer names in `failed` are rejected. All others
 * have the result of the request. One message counts for the whole batch: a message that succeeded, if there is one,
 * because a receiver that accepts a part of a batch works. Source: docs/reference/notifications.md, "Batches".
 */
export function partsOf(messages: readonly ClaimedDelivery[], outcome: AttemptOutcome): readonly BatchPart[] {
  const failed = failedIds(outcome);
  const isRejected = ({ message_id: id }: ClaimedDelivery): boolean => failed.has(id.toLowerCase());
  const counted = messages.find((message) => !isRejected(message)) ?? messages[0];
  const kept = withoutOthers(messages, outcome);
  return messages.map((delivery) => ({
    delivery,
    outcome: isRejected(delivery) ? { ...kept, error: 'rejected' } : kept,
    isCompanion: delivery !== counted,
  }));
}

/**
 * Returns the ids of the messages that an answer with status 200 names as failed. No other answer names failed
 * messages.
 */
function failedIds({ error, answer }: AttemptOutcome): ReadonlySet<string> {
  if (error !== null || answer?.statusCode !== 200 || !answer.excerpt.includes('failed')) return new Set();
  const failed = failedIn(answer.excerpt);
  return new Set(
    Array.isArray(failed) ? failed.filter((id) => typeof id === 'string').map((id) => id.toLowerCase()) : [],
  );
}

function failedIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'failed' in value ? value.failed : undefined;
  } catch {
    // An answer that is not JSON names no failed messages, so the whole batch counts as delivered.
    return undefined;
  }
}

/**
 * Leaves the body and headers of the answer out of the attempt log when the batch has messages about several subjects.
 * Otherwise the answer, which can name one subject, would also be in the log of attempts about the others. Anonymising
 * the named subject would not delete the answer there.
 */
function withoutOthers(messages: readonly ClaimedDelivery[], outcome: AttemptOutcome): AttemptOutcome {
  const subjects = new Set(messages.map(({ subject_type: type, subject_id: id }) => `${type} ${id}`));
  if (subjects.size <= 1 || !outcome.answer) return outcome;
  return { ...outcome, answer: { ...outcome.answer, excerpt: '', headers: {} } };
}
