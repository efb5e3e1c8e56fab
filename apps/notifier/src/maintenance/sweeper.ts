import { moveBacklogs } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Metrics } from '../counters/metrics.js';
import { type LaneDispatcher } from '../delivery/lane-dispatcher.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';
import { postponeBlocked } from '../delivery/store/subject-order.js';
import { MAX_QUEUED_MS, sweptDeliveries } from '../delivery/store/requeue-deliveries.js';
import { type Amount } from '../loops/poll-loop.js';
import { sweep } from '../queues/sweep.js';

export interface SweeperOptions {
  readonly database: Database;
  readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>;
  readonly dispatcher: LaneDispatcher;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when at least one delivery has become due again. */
  readonly onDue: () => void;
}

/**
 * Requeues orphaned deliveries. Postpones deliveries that wait behind an earlier delivery about the same subject. Also
 * continues with large backlogs whose subscription or endpoint has changed: it holds, releases, cancels or completes
 * their deliveries, part by part.
 */
export class Sweeper {
  constructor(private readonly options: SweeperOptions) {}

  async sweep(): Promise<Amount> {
    const { database, lowWaterMarks, dispatcher, logger, metrics, onDue } = this.options;
    const requeued = await sweep(sweptDeliveries(database, lowWaterMarks.current), {
      isLost: (delivery, queuedMs) => dispatcher.isLost(delivery, queuedMs),
      maxQueuedMs: MAX_QUEUED_MS,
      logger,
      rowName: 'deliveries',
      onDue,
    });
    metrics.requeued(requeued);
    const hasBlocked = await postponeBlocked(database);
    return (await moveBacklogs(database)) || hasBlocked ? 'more' : 'none';
  }
}
