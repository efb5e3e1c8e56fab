import { type Database, openSigningKeys, type SecretBox } from '@ats/domain';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../config/clock.js';
import { type DeliveryJob } from '../feeding/queues.js';
import { describeError, type Logger } from '../logging/logger.js';
import { type AttemptOutcome } from './attempt-outcome.js';
import { type ClaimedDelivery, type Claimant, claimDelivery } from './claimed-delivery.js';
import { type DestinationClient } from './destination-client.js';
import { type FinishedAttempt, finishDelivered, finishFailed, type SettledStatus } from './finish-attempt.js';
import { messageHeaders } from './message-headers.js';
import { parseRetryAfter, type Random, retryDelayMs } from './retry-schedule.js';

export interface DelivererOptions {
  readonly database: Database;
  readonly client: DestinationClient;
  readonly secretBox: SecretBox;
  /** Seconds to wait after the first, the second, … failed attempt. */
  readonly schedule: readonly number[];
  readonly claimant: Claimant;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Told when an attempt has ended: a place is free, and the next of the same subject may go. */
  readonly onFinished: () => void;
}

/** After a fault of ours, such as a resolver that is down; it spends no attempt of the schedule. */
const OWN_FAULT_DELAY_MS = 5_000;
/** A result that cannot be stored is kept in hand this long, well inside the lease; after that the attempt is repeated. */
const STORE_FOR_MS = 20_000;
const STORE_RETRY_MS = 250;

/** Makes one attempt to deliver: claims the row, sends, stores what came of it and what is next. */
export class Deliverer {
  constructor(private readonly options: DelivererOptions) {}

  async deliver(job: DeliveryJob): Promise<void> {
    const { database, claimant, logger, onFinished } = this.options;
    const token = randomUUID();
    const delivery = await claimDelivery(database, job, { ...claimant, token });
    if (!delivery) return;
    const { outcome, requestHeaders } = await this.send(delivery);
    const status = await this.store({ delivery, token, outcome, requestHeaders });
    logger.info(
      {
        deliveryId: delivery.id,
        subscriptionId: delivery.subscription_id,
        attempt: delivery.attempts,
        status: status ?? 'superseded',
        statusCode: outcome.answer?.statusCode,
        error: outcome.error ?? undefined,
        durationMs: outcome.durationMs,
      },
      'attempt finished',
    );
    onFinished();
  }

  private async send(delivery: ClaimedDelivery): Promise<Pick<FinishedAttempt, 'outcome' | 'requestHeaders'>> {
    const headers = this.headers(delivery);
    if (!headers) return { outcome: OWN_FAULT, requestHeaders: {} };
    const outcome = await this.options.client.post({ url: delivery.destination_url, headers, body: delivery.body });
    return { outcome, requestHeaders: headers };
  }

  private headers(delivery: ClaimedDelivery): Readonly<Record<string, string>> | null {
    const { secretBox, logger } = this.options;
    try {
      const keys = openSigningKeys(delivery.keys, { subscriptionId: delivery.subscription_id, secretBox, now: delivery.claimed_dt });
      const message = { messageId: delivery.message_id, sequence: delivery.sequence, attempt: delivery.attempts, body: delivery.body };
      return messageHeaders(message, keys, delivery.claimed_dt);
    } catch (error) {
      logger.error({ subscriptionId: delivery.subscription_id, ...describeError(error) }, 'a message could not be signed');
      return null;
    }
  }

  /** Tries again while PostgreSQL is away: a result in hand is worth more than another attempt. */
  private async store(finished: FinishedAttempt): Promise<SettledStatus> {
    const deadline = performance.now() + STORE_FOR_MS;
    for (;;) {
      try {
        return await this.storeOnce(finished);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        this.options.logger.warn({ deliveryId: finished.delivery.id, ...describeError(error) }, 'a result could not be stored yet');
        await sleep(STORE_RETRY_MS);
      }
    }
  }

  private storeOnce(finished: FinishedAttempt): Promise<SettledStatus> {
    const { database, schedule, random, clock } = this.options;
    const { delivery, outcome } = finished;
    if (outcome.error === null) return finishDelivered(database, finished);
    if (outcome.isOurFault) return finishFailed(database, finished, OWN_FAULT_DELAY_MS);
    const retryAfterMs = parseRetryAfter(outcome.answer?.retryAfter ?? null, clock.now());
    return finishFailed(database, finished, retryDelayMs(delivery.failures + 1, { schedule, random, retryAfterMs }));
  }
}

const OWN_FAULT: AttemptOutcome = {
  error: 'failed',
  answer: null,
  isOurFault: true,
  resolveMs: null,
  headersMs: null,
  durationMs: 0,
  remoteAddress: null,
};
