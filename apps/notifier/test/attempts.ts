import { type Database } from '@ats/postgres';
import { type AttemptOutcome } from '../src/delivery/http/attempt-outcome.js';
import { type ClaimedDelivery } from '../src/delivery/store/claimed-deliveries.js';
import { finishAttempts, type FinishedAttempt, type SettledStatus } from '../src/delivery/store/finish-attempts.js';
import { subscribe, WORKER } from './fixtures.js';
import { addQueued, claimOne } from './queued.js';

/** Returns the outcome of an attempt whose answer has this status. */
export const outcomeOf = (statusCode: number, more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  error: statusCode < 300 ? null : 'status',
  answer: { statusCode, headers: {}, retryAfter: null, excerpt: '', isTruncated: false },
  isOwnError: false,
  resolveMs: 0,
  headersMs: 1,
  durationMs: 2,
  remoteAddress: null,
  ...more,
});

/** Simulates attempts in the database of a spec file. Nothing is sent. */
export class TestAttempts {
  /** The id of the subscription that the last call of `sending` has created. `topicId` is the id of its topic. */
  subscriptionId = 0;
  topicId = 0;

  constructor(private readonly stage: { readonly database: Database }) {}

  claim(deliveryId: number, attempts = 0): Promise<ClaimedDelivery | null> {
    return claimOne(this.stage.database, deliveryId, { attempts });
  }

  /** Creates a subscription and claims a delivery of it. Returns an attempt of this delivery that has ended. */
  async sending(statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> {
    const { topic, subscription } = await subscribe(this.stage.database);
    [this.topicId, this.subscriptionId] = [topic.id, subscription.id];
    return this.another(statusCode, more);
  }

  /** Claims one more delivery of the same subscription. Returns an attempt of this delivery that has ended. */
  async another(statusCode: number, more: Partial<AttemptOutcome> = {}): Promise<FinishedAttempt> {
    return this.attemptOf(await addQueued(this.stage.database, this.subscriptionId), statusCode, more);
  }

  /** Claims a queued delivery. Returns an attempt of this delivery that has ended. */
  async attemptOf(
    deliveryId: number,
    statusCode: number,
    more: Partial<AttemptOutcome> = {},
  ): Promise<FinishedAttempt> {
    const delivery = await this.claim(deliveryId);
    if (!delivery) throw new Error(`delivery ${deliveryId} could not be claimed, because it is not queued`);
    return { delivery, outcome: outcomeOf(statusCode, more), requestHeaders: {}, delayMs: 60_000 };
  }

  /**
   * Stores a finished attempt.
   * @returns the new status of its delivery
   */
  async finish(attempt: FinishedAttempt, delayMs: number | null = 60_000): Promise<SettledStatus> {
    const [status] = await finishAttempts(this.stage.database, [{ ...attempt, delayMs }], WORKER);
    return status ?? null;
  }
}
