import { type Database } from '@ats/postgres';
import { runInSpan } from '@ats/telemetry';
import { randomUUID } from 'node:crypto';
import { type Progress } from '../queues/concurrency-slots.js';
import { type DeliveryJob } from '../queues/queues.js';
import { type Logger } from '@ats/logging';
import { failureLevel } from '../config/logger.js';
import { type Metrics } from '../counters/metrics.js';
import { keepTrying } from '../loops/keep-trying.js';
import { type AttemptOutcome, OWN_ERROR } from './http/attempt-outcome.js';
import { type TokenCache } from './authentication/token-cache.js';
import { attemptSpan, endAttempt } from './attempt-span.js';
import { batchBody, partsOf } from './batch.js';
import { Batcher } from './batcher.js';
import { FollowerClaims } from './follower-claims.js';
import { claimBatch } from './store/batch-claims.js';
import { BATCHES } from './store/batches.js';
import { Chain, type Link } from './chain.js';
import {
  type BatchLeader,
  type Claim,
  claimDeliveries,
  type ClaimedDelivery,
  SEND_WITHIN_MS,
} from './store/claimed-deliveries.js';
import { type DestinationClient } from './http/destination-client.js';
import { finishAttempts, type FinishedAttempt, type SettledStatus } from './store/finish-attempts.js';
import { finishSuccesses, isPlainSuccess } from './store/finish-successes.js';
import { claimFollowers } from './store/follower-deliveries.js';
import { type EndpointStats } from './store/endpoint-stats.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';
import { ResultFlush } from './store/result-flush.js';
import { type SuccessCounters } from './store/success-counters.js';
import { type MessageHeaders } from './message-headers.js';
import { prepareRequest, type PreparedRequest, type SecretBoxes } from './prepared-request.js';
import { parseRetryAfter, type Random, retryDelayMs } from './retry-schedule.js';

export interface Claimant {
  /** The number of this worker, see `WorkerHeartbeat`. */
  readonly worker: number;
  /** The name of this worker in the log of attempts. */
  readonly workerName: string;
}

export interface DelivererOptions extends SecretBoxes {
  readonly database: Database;
  readonly client: DestinationClient;
  readonly tokens: TokenCache;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  /** Delays in seconds after the first, the second, … failed attempt. */
  readonly schedule: readonly number[];
  readonly claimant: Claimant;
  readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>;
  readonly counters: SuccessCounters;
  readonly stats: EndpointStats;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * Called after the attempts of a job. A slot is then free, and the next delivery about the same subject may start.
   */
  readonly onFinished: () => void;
}

/**
 * Delay after an error inside the notifier, such as an unavailable DNS resolver. An attempt with such an error does not
 * count as a failure.
 */
const OWN_ERROR_DELAY_MS = 5_000;
/**
 * Runs jobs. For each job, it claims the delivery, sends it, and stores the result and the next state. When more
 * deliveries of the subscription are due, it claims some of them as followers and sends them one after the other.
 */
export class Deliverer {
  private readonly claims: Batcher<Claim, ClaimedDelivery | BatchLeader | null>;
  private readonly followers: FollowerClaims;
  private readonly successes: Batcher<FinishedAttempt, Date | null>;
  private readonly results: Batcher<FinishedAttempt, SettledStatus>;
  private readonly flush: ResultFlush;
  private isStopping = false;

  constructor(private readonly options: DelivererOptions) {
    const { database, claimant, lowWaterMarks, baseUrl } = options;
    this.claims = new Batcher({
      ...BATCHES,
      run: (claims) => claimDeliveries(database, claims, claimant.worker, lowWaterMarks.current),
    });
    this.followers = new FollowerClaims(options);
    this.flush = new ResultFlush(database);
    this.successes = new Batcher({
      ...BATCHES,
      run: (attempts) => this.finishSuccesses(attempts),
    });
    this.results = new Batcher({
      ...BATCHES,
      run: (attempts) => finishAttempts(database, attempts, { workerName: claimant.workerName, baseUrl }),
    });
  }

  async deliver(job: DeliveryJob, progress: Progress): Promise<void> {
    const claim = { job, token: randomUUID() };
    const delivery = await this.claims.add(claim);
    if (!delivery) return this.options.metrics.claimRefused();
    if (delivery === 'batch') return this.deliverBatch(claim);
    return this.deliverClaimed(delivery, progress);
  }

  /** Sends a delivery that this process has claimed, and its followers. */
  async deliverClaimed(delivery: ClaimedDelivery, progress: Progress): Promise<void> {
    const chain = new Chain(
      {
        attempt: (one) => this.attempt(one),
        follow: (leader) => (this.isStopping ? Promise.resolve([]) : this.followers.claim(leader)),
        release: (followers) => this.followers.release(followers),
        notePace: (paceMs) => this.followers.notePace(delivery.subscription_id, paceMs),
        isStopping: () => this.isStopping,
      },
      progress,
    );
    await chain.send(delivery);
    this.options.onFinished();
  }

  private async deliverBatch(claim: Claim): Promise<void> {
    const { database, claimant, lowWaterMarks, metrics } = this.options;
    const messages = await claimBatch(database, claim, claimant.worker, lowWaterMarks.current);
    if (messages.length === 0) return metrics.claimRefused();
    await this.attemptBatch(messages);
    this.options.onFinished();
  }

  /** Makes one attempt that sends all messages of a batch. */
  private async attemptBatch(messages: readonly ClaimedDelivery[]): Promise<void> {
    const [first] = messages;
    if (!first) return;
    for (const message of messages) this.options.metrics.attemptStarted(message);
    const span = attemptSpan(first);
    const { outcome, requestHeaders } = await runInSpan(span, () => this.send(first, messages));
    endAttempt(span, outcome);
    // Messages with equally many failures get the same delay, so that they are sent again together.
    const delays = new Map<number, number | null>();
    const delayOf = (message: ClaimedDelivery, result: AttemptOutcome): number | null => {
      const delay = delays.get(message.failures);
      if (delay !== undefined) return delay;
      delays.set(message.failures, this.delayAfter(message, result));
      return delays.get(message.failures) ?? null;
    };
    const parts = partsOf(messages, outcome);
    await Promise.all(
      parts.map(async (part) => {
        const finished = { ...part, requestHeaders, delayMs: delayOf(part.delivery, part.outcome) };
        const status = await this.keepStoring(finished, () => this.results.add(finished));
        runInSpan(span, () => this.report(part.delivery, part.outcome, { status, isCompanion: part.isCompanion }));
      }),
    );
    for (const part of parts) if (!part.isCompanion) this.options.stats.add(part.delivery, part.outcome);
  }

  /** Runs the frequent statements without deliveries, so that PostgreSQL plans them before the first message. */
  async plan(): Promise<void> {
    const { database, claimant } = this.options;
    await Promise.allSettled([
      claimDeliveries(database, [], claimant.worker),
      claimFollowers(database, [], claimant.worker),
      finishSuccesses(database, [], claimant.workerName),
    ]);
  }

  /** Stops the jobs: running attempts end as usual, and no job starts a further attempt. */
  stop(): void {
    this.isStopping = true;
  }

  private async attempt(delivery: ClaimedDelivery): Promise<Link> {
    this.options.metrics.attemptStarted(delivery);
    const span = attemptSpan(delivery);
    const sent = await runInSpan(span, () => this.send(delivery));
    endAttempt(span, sent.outcome);
    const store = async (): Promise<void> => {
      // The span does not include storing, because one statement stores the results of many deliveries.
      const status = await this.store({ ...sent, delivery, delayMs: this.delayAfter(delivery, sent.outcome) });
      runInSpan(span, () => this.report(delivery, sent.outcome, { status, isCompanion: false }));
      this.options.stats.add(delivery, sent.outcome);
    };
    return { isSuccess: sent.outcome.error === null, store };
  }

  private report(
    delivery: ClaimedDelivery,
    { error, answer, durationMs }: AttemptOutcome,
    { status, isCompanion }: { readonly status: SettledStatus; readonly isCompanion: boolean },
  ): void {
    const { metrics, logger } = this.options;
    const statusCode = answer?.statusCode ?? null;
    metrics.attemptFinished(delivery, { error, statusCode, durationMs, status, isCompanion });
    logger[error === null ? 'info' : 'warn'](
      {
        delivery_id: delivery.id,
        event_id: delivery.event_id ?? undefined,
        request_id: delivery.request_id ?? undefined,
        subscription_id: delivery.subscription_id,
        attempt: delivery.attempts,
        status: status ?? 'superseded',
        status_code: answer?.statusCode,
        error: error ?? undefined,
        duration_ms: durationMs,
      },
      'attempt finished',
    );
  }

  private async send(
    delivery: ClaimedDelivery,
    batch: readonly ClaimedDelivery[] = [delivery],
  ): Promise<Pick<FinishedAttempt, 'outcome' | 'requestHeaders'>> {
    const body = delivery.is_batch ? batchBody(batch) : delivery.body;
    const request = this.prepare(delivery, batch, body);
    const { destination_url: url, endpoint_id: endpointId } = delivery;
    if (!request || url === null) return { outcome: OWN_ERROR, requestHeaders: {} };
    const { client, tokens } = this.options;
    const { oauth, certificate } = request;
    const sendBefore = delivery.claimedAt + SEND_WITHIN_MS;
    // Stays empty when no access token can be obtained, because no request is sent then.
    let logged: MessageHeaders['logged'] = {};
    const post = (authorization?: string): Promise<AttemptOutcome> => {
      const headers = request.headers(authorization);
      logged = headers.logged;
      return client.post({ url, headers: headers.sent, body, certificate, sendBefore });
    };
    const outcome = oauth ? await tokens.attempt(endpointId, oauth, (token) => post(`Bearer ${token}`)) : await post();
    return { outcome, requestHeaders: logged };
  }

  /** Decrypts the values that a request needs. Returns null when a secret of the endpoint cannot be decrypted. */
  private prepare(delivery: ClaimedDelivery, batch: readonly ClaimedDelivery[], body: string): PreparedRequest | null {
    try {
      return prepareRequest(delivery, batch, body, this.options);
    } catch (error) {
      this.options.logger.error(
        {
          delivery_id: delivery.id,
          request_id: delivery.request_id ?? undefined,
          subscription_id: delivery.subscription_id,
          err: error,
        },
        'a message cannot be sent: a secret of its endpoint cannot be decrypted',
      );
      return null;
    }
  }

  private store(finished: FinishedAttempt): Promise<SettledStatus> {
    let isFast = isPlainSuccess(finished);
    return this.keepStoring(finished, async () => {
      const mayBeFast = isFast;
      isFast = false; // Only the first attempt to store the result may use the faster statement.
      return mayBeFast && (await this.successes.add(finished)) ? 'delivered' : this.results.add(finished);
    });
  }

  private keepStoring(finished: FinishedAttempt, storeOnce: () => Promise<SettledStatus>): Promise<SettledStatus> {
    return keepTrying(storeOnce, (error) =>
      this.options.logger[failureLevel(error, 'warn')](
        { delivery_id: finished.delivery.id, request_id: finished.delivery.request_id ?? undefined, err: error },
        'the result of an attempt could not be stored: the notifier tries again',
      ),
    );
  }

  private async finishSuccesses(attempts: readonly FinishedAttempt[]): Promise<readonly (Date | null)[]> {
    const { database, claimant, counters } = this.options;
    const times = await finishSuccesses(database, attempts, claimant.workerName);
    this.flush.request();
    counters.add(
      attempts.flatMap(({ delivery, outcome }, index) => {
        const finished = times[index];
        return finished ? [{ subscriptionId: delivery.subscription_id, durationMs: outcome.durationMs, finished }] : [];
      }),
    );
    return times;
  }

  private delayAfter(
    { failures, claimed_dt: claimed }: ClaimedDelivery,
    { isOwnError, answer, durationMs }: AttemptOutcome,
  ): number | null {
    const { schedule, random } = this.options;
    if (isOwnError) return OWN_ERROR_DELAY_MS;
    // This time derives from the clock of the database, because the clock of this machine may be wrong.
    const now = new Date(claimed.getTime() + durationMs);
    return retryDelayMs(failures + 1, {
      schedule,
      random,
      retryAfterMs: parseRetryAfter(answer?.retryAfter ?? null, now),
    });
  }
}
