import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';
import { type LaneDispatcher } from './lane-dispatcher.js';
import { pickDueDeliveries } from './store/due-deliveries.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';

export interface DuePollerOptions {
  readonly database: Database;
  readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>;
  readonly dispatcher: LaneDispatcher;
  /** The number of this worker, see `WorkerHeartbeat`. */
  readonly claimant: { readonly worker: number };
}

/**
 * Claims due deliveries for the free slots of this process, and marks further ones as queued. Then hands them to the
 * lane dispatcher. If the process dies between these steps, the sweeper requeues the deliveries.
 */
export class DuePoller {
  constructor(private readonly options: DuePollerOptions) {}

  async poll(): Promise<Amount> {
    const { database, lowWaterMarks, dispatcher, claimant } = this.options;
    const queue = await dispatcher.capacity();
    const own = { ...dispatcher.ownSlots, worker: claimant.worker };
    const capacity = { hot: own.hot + queue.hot, slow: own.slow + queue.slow };
    if (capacity.hot + capacity.slow === 0) return 'some';
    const deliveries = await pickDueDeliveries(database, capacity, lowWaterMarks.current, own);
    await dispatcher.dispatch(deliveries);
    return deliveries.length > 0 ? 'some' : 'none';
  }
}
