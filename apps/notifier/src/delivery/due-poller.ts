import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';
import { type LaneDispatcher } from './lane-dispatcher.js';
import { pickDueDeliveries } from './store/due-deliveries.js';
import { type LowWaterMarks } from '../loops/low-water-marks.js';

/**
 * Marks due deliveries as queued and hands them to the lane dispatcher. If the process dies between these steps, the
 * sweeper requeues the deliveries.
 */
export class DuePoller {
  constructor(
    private readonly database: Database,
    private readonly lowWaterMarks: Pick<LowWaterMarks, 'current'>,
    private readonly dispatcher: LaneDispatcher,
  ) {}

  async poll(): Promise<Amount> {
    const capacity = await this.dispatcher.capacity();
    if (capacity.hot + capacity.slow === 0) return 'some';
    const deliveries = await pickDueDeliveries(this.database, capacity, this.lowWaterMarks.current);
    await this.dispatcher.dispatch(deliveries);
    return deliveries.length > 0 ? 'some' : 'none';
  }
}
