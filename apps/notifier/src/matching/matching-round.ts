import { type Logger } from '@ats/logging';
import { type Metrics } from '../counters/metrics.js';
import { type Amount } from '../loops/poll-loop.js';
import { BATCH_SIZE, type Matcher } from './matcher.js';

export interface MatchingRoundOptions {
  readonly matcher: Matcher;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Called when a delivery was created. */
  readonly onDue: () => void;
}

/** Matches one batch of events. Counts the events and their deliveries in the metrics. */
export class MatchingRound {
  constructor(private readonly options: MatchingRoundOptions) {}

  async match(): Promise<Amount> {
    const { matcher, metrics, logger, onDue } = this.options;
    const { events, deliveries } = await matcher.matchBatch();
    metrics.matched({ events, deliveries });
    if (deliveries > 0) onDue();
    if (events > 0) logger.debug({ events, deliveries }, 'matched a batch of events');
    if (events >= BATCH_SIZE) return 'more';
    return events > 0 ? 'some' : 'none';
  }
}
