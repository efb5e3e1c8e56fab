import { shareTopicIndex, toMessageBody } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { failSpan, runInSpan, startSpan, traceparentOf } from '@ats/telemetry';
import { v7 as createUuidV7 } from 'uuid';
import { type Clock } from '../config/clock.js';
import { insertDeliveries, type NewDelivery } from '../delivery/store/new-deliveries.js';
import {
  claimEvents,
  type ClaimedEvent,
  type EventWithSnapshot,
  insertLateValues,
  markFailed,
  markMatched,
  readSnapshots,
} from './claimed-events.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';
import { EnsuredPartitions } from './ensured-partitions.js';
import { evaluateEvent, type Evaluation } from './evaluate-event.js';
import { TopicCache } from './topic-cache.js';

/** Reads current values of an event's subject in the given transaction. Returns null when the subject was deleted. */
export type ReadSubject = (
  transaction: Transaction,
  event: ClaimedEvent,
  datapaths: readonly string[],
) => Promise<Readonly<Record<string, unknown>> | null>;

export interface MatcherOptions {
  readonly database: Database;
  readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>;
  /** `PUBLIC_BASE_URL` without a slash at its end. */
  readonly baseUrl: string;
  readonly readSubject: ReadSubject;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MatchedBatch {
  readonly events: number;
  readonly deliveries: number;
}

export const BATCH_SIZE = 200;

interface EvaluatedEvent {
  readonly event: ClaimedEvent;
  readonly lateValues: Evaluation['lateValues'];
  readonly deliveries: readonly NewDelivery[];
}

/** Creates the deliveries of events. One transaction claims a batch of events and writes all their deliveries. */
export class Matcher {
  private readonly cache: TopicCache;
  private readonly partitions: EnsuredPartitions;

  constructor(private readonly options: MatcherOptions) {
    this.partitions = new EnsuredPartitions(options.database);
    this.cache = new TopicCache((topicId, error) => {
      options.logger.error(
        { topic_id: topicId, err: error },
        'a stored expression is invalid: its topic matches no event',
      );
    });
  }

  async matchBatch(): Promise<MatchedBatch> {
    const { event: mark } = this.options.lowWaterMarks.current;
    return this.options.database.transaction(async (transaction) => {
      const events = await claimEvents(transaction, mark, BATCH_SIZE);
      if (events.length === 0) return { events: 0, deliveries: 0 };
      await this.partitions.ensure(
        events.map((event) => event.occurred_dt),
        this.options.clock.now(),
      );
      await shareTopicIndex(transaction);
      await this.cache.refresh(transaction);
      const evaluated: EvaluatedEvent[] = [];
      const failed: number[] = [];
      for (const event of await readSnapshots(transaction, events)) {
        const result = await this.attempt(event, () => this.evaluateTraced(transaction, event));
        if (result) evaluated.push(result);
        else failed.push(event.id);
      }
      const deliveries = await this.write(transaction, evaluated, failed);
      for (const one of evaluated) if (!failed.includes(one.event.id)) this.report(one);
      if (failed.length > 0) await this.reportFailed(transaction, failed);
      return { events: events.length, deliveries };
    });
  }

  /** Evaluates an event in a span of its own. The span continues the trace of the request that raised the event. */
  private async evaluateTraced(transaction: Transaction, event: EventWithSnapshot): Promise<EvaluatedEvent> {
    const span = startSpan(`process ${event.type}`, {
      kind: 'CONSUMER',
      parent: event.traceparent,
      attributes: {
        'messaging.system': 'postgresql',
        'messaging.operation.name': 'match',
        'messaging.operation.type': 'process',
        'messaging.destination.name': 'domain_events',
        'ats.event.id': event.id,
        'ats.request.id': event.request_id ?? undefined,
      },
    });
    try {
      const evaluated = await runInSpan(span, () => this.evaluate(transaction, event, traceparentOf(span)));
      span.setAttribute('ats.event.deliveries', evaluated.deliveries.length);
      return evaluated;
    } catch (error) {
      failSpan(span, 'failed');
      throw error;
    } finally {
      span.end();
    }
  }

  private async evaluate(
    transaction: Transaction,
    event: EventWithSnapshot,
    traceparent: string | null,
  ): Promise<EvaluatedEvent> {
    const { readSubject, clock, baseUrl } = this.options;
    const { matches, lateValues } = await evaluateEvent(event, this.cache, (_, datapaths) =>
      inSavepoint(transaction, () => readSubject(transaction, event, datapaths)),
    );
    const source = {
      type: event.type,
      subjectType: event.subject_type,
      subjectId: event.subject_id,
      recruiterId: event.recruiter_id,
      occurredDt: event.occurred_dt,
      facts: event.facts,
    };
    const deliveries = matches.map((match) => {
      const messageId = createUuidV7({ msecs: clock.now().getTime() });
      return {
        event,
        topic: match.topic,
        subscription: match.subscription,
        messageId,
        traceparent,
        body: toMessageBody(source, { ...match.subscription, topic: match.topic }, { messageId, baseUrl }),
      };
    });
    return { event, lateValues, deliveries };
  }

  /**
   * Writes the deliveries of all events at once. After a failure, writes them event by event, so that only the faulty
   * event fails.
   */
  private async write(
    transaction: Transaction,
    evaluated: readonly EvaluatedEvent[],
    failed: number[],
  ): Promise<number> {
    try {
      return await inSavepoint(transaction, () => writeEvaluated(transaction, evaluated));
    } catch (error) {
      this.options.logger.warn(
        { err: error },
        'the deliveries of a batch of events could not be stored: the notifier stores them again, event by event',
      );
    }
    let deliveries = 0;
    for (const one of evaluated) {
      const written = await this.attempt(one.event, () =>
        inSavepoint(transaction, () => writeEvaluated(transaction, [one])),
      );
      if (written === undefined) failed.push(one.event.id);
      else deliveries += written;
    }
    return deliveries;
  }

  private report({ event, deliveries }: EvaluatedEvent): void {
    this.options.logger.debug(
      {
        event_id: event.id,
        request_id: event.request_id ?? undefined,
        event_type: event.type,
        subscription_ids: deliveries.map(({ subscription }) => subscription.id),
      },
      'an event was matched',
    );
  }

  private async attempt<T>(event: ClaimedEvent, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.options.logger.error(
        { event_id: event.id, request_id: event.request_id ?? undefined, err: error },
        'matching an event failed',
      );
      return undefined;
    }
  }

  private async reportFailed(transaction: Transaction, failed: readonly number[]): Promise<void> {
    for (const eventId of await markFailed(transaction, failed)) {
      this.options.logger.error(
        { event_id: eventId },
        'an event was quarantined, because matching it failed repeatedly: find the cause, then requeue it',
      );
    }
  }
}

async function writeEvaluated(transaction: Transaction, evaluated: readonly EvaluatedEvent[]): Promise<number> {
  for (const { event, lateValues } of evaluated)
    if (lateValues) await insertLateValues(transaction, event.id, lateValues);
  const deliveries = await insertDeliveries(
    transaction,
    evaluated.flatMap((one) => one.deliveries),
  );
  await markMatched(
    transaction,
    evaluated.map(({ event }) => event.id),
  );
  return deliveries;
}

/** Runs `work` after a savepoint. When it fails, only its own changes are rolled back. */
async function inSavepoint<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await runStatement(transaction, 'SAVEPOINT one_step');
  try {
    const result = await work();
    await runStatement(transaction, 'RELEASE SAVEPOINT one_step');
    return result;
  } catch (error) {
    await runStatement(transaction, 'ROLLBACK TO SAVEPOINT one_step');
    await runStatement(transaction, 'RELEASE SAVEPOINT one_step');
    throw error;
  }
}
