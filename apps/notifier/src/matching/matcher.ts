import { shareTopicIndex, toMessageBody } from '@ats/domain';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { failSpan, runInSpan, startSpan, traceparentOf } from '@ats/telemetry';
import { type Clock } from '../config/clock.js';
import { type Logger } from '@ats/logging';
import { v7 as createUuidV7 } from 'uuid';
import {
  claimEvents,
  type ClaimedEvent,
  type EventWithFacts,
  markFailed,
  markMatched,
  readFacts,
} from './claimed-events.js';
import { judgeEvent, type Judgement } from './judge-event.js';
import { KnownDays } from './known-days.js';
import { insertDeliveries, insertLateFacts, type NewDelivery } from '../delivery/store/new-deliveries.js';
import { TopicCache } from './topic-cache.js';

/** Reads datapaths of an event's subject as they are now, in the given transaction. Null when the subject is gone. */
export type ReadSubject = (
  transaction: Transaction,
  event: ClaimedEvent,
  datapaths: readonly string[],
) => Promise<Readonly<Record<string, unknown>> | null>;

export interface MatcherOptions {
  readonly database: Database;
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

interface JudgedEvent {
  readonly event: ClaimedEvent;
  readonly lateFacts: Judgement['lateFacts'];
  readonly deliveries: readonly NewDelivery[];
}

/** Turns events into deliveries: all that a batch leads to is written in the transaction that claimed it. */
export class Matcher {
  private readonly cache: TopicCache;
  private readonly days: KnownDays;

  constructor(private readonly options: MatcherOptions) {
    this.days = new KnownDays(options.database);
    this.cache = new TopicCache((topicId, error) => {
      options.logger.error(
        { topic_id: topicId, err: error },
        'a stored expression cannot be used: its topic matches nothing',
      );
    });
  }

  matchBatch(): Promise<MatchedBatch> {
    return this.options.database.transaction(async (transaction) => {
      const events = await claimEvents(transaction, BATCH_SIZE);
      if (events.length === 0) return { events: 0, deliveries: 0 };
      await this.days.ensure(
        events.map((event) => event.occurred_dt),
        this.options.clock.now(),
      );
      await shareTopicIndex(transaction);
      await this.cache.refresh(transaction);
      const judged: JudgedEvent[] = [];
      const failed: number[] = [];
      for (const event of await readFacts(transaction, events)) {
        const result = await this.attempt(event, () => this.judgeTraced(transaction, event));
        if (result) judged.push(result);
        else failed.push(event.id);
      }
      const deliveries = await this.write(transaction, judged, failed);
      for (const one of judged) if (!failed.includes(one.event.id)) this.report(one);
      if (failed.length > 0) await this.reportFailed(transaction, failed);
      return { events: events.length, deliveries };
    });
  }

  /** Each event goes on with the trace of its request, although a batch has many. */
  private async judgeTraced(transaction: Transaction, event: EventWithFacts): Promise<JudgedEvent> {
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
      const judged = await runInSpan(span, () => this.judge(transaction, event, traceparentOf(span)));
      span.setAttribute('ats.event.deliveries', judged.deliveries.length);
      return judged;
    } catch (error) {
      failSpan(span, 'failed');
      throw error;
    } finally {
      span.end();
    }
  }

  private async judge(
    transaction: Transaction,
    event: EventWithFacts,
    traceparent: string | null,
  ): Promise<JudgedEvent> {
    const { readSubject, clock, baseUrl } = this.options;
    const { matches, lateFacts } = await judgeEvent(event, this.cache, (_, datapaths) =>
      inSavepoint(transaction, () => readSubject(transaction, event, datapaths)),
    );
    const source = {
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
        match,
        messageId,
        traceparent,
        body: toMessageBody(source, { ...match.subscription, topic: match.topic }, { messageId, baseUrl }),
      };
    });
    return { event, lateFacts, deliveries };
  }

  /** All at once; when that fails, one by one, so that a single event that cannot be written fails alone. */
  private async write(transaction: Transaction, judged: readonly JudgedEvent[], failed: number[]): Promise<number> {
    try {
      return await inSavepoint(transaction, () => writeJudged(transaction, judged));
    } catch (error) {
      this.options.logger.warn(
        { err: error },
        'a batch of matches could not be written: writing its events one by one',
      );
    }
    let deliveries = 0;
    for (const one of judged) {
      const written = await this.attempt(one.event, () =>
        inSavepoint(transaction, () => writeJudged(transaction, [one])),
      );
      if (written === undefined) failed.push(one.event.id);
      else deliveries += written;
    }
    return deliveries;
  }

  private report({ event, deliveries }: JudgedEvent): void {
    this.options.logger.debug(
      {
        event_id: event.id,
        request_id: event.request_id ?? undefined,
        event_type: event.type,
        subscription_ids: deliveries.map(({ match }) => match.subscription.id),
      },
      'event matched',
    );
  }

  private async attempt<T>(event: ClaimedEvent, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.options.logger.error(
        { event_id: event.id, request_id: event.request_id ?? undefined, err: error },
        'an event could not be matched',
      );
      return undefined;
    }
  }

  private async reportFailed(transaction: Transaction, failed: readonly number[]): Promise<void> {
    for (const eventId of await markFailed(transaction, failed)) {
      this.options.logger.error({ event_id: eventId }, 'an event failed too often and is quarantined');
    }
  }
}

async function writeJudged(transaction: Transaction, judged: readonly JudgedEvent[]): Promise<number> {
  for (const { event, lateFacts } of judged) if (lateFacts) await insertLateFacts(transaction, event.id, lateFacts);
  const deliveries = await insertDeliveries(
    transaction,
    judged.flatMap((one) => one.deliveries),
  );
  await markMatched(
    transaction,
    judged.map(({ event }) => event.id),
  );
  return deliveries;
}

/** Undoes what `work` did when it fails, and nothing else of the transaction. */
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
