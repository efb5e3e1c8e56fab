import { type Database } from '@ats/postgres';
import { type Amount } from '../loops/poll-loop.js';
import { type Dispatcher } from './lane-dispatcher.js';
import { pickDueDeliveries } from './store/due-deliveries.js';

/** Moves what is due towards a worker. The row is marked first: a process that dies in between leaves a row to be found. */
export class Feeder {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
  ) {}

  async feed(): Promise<Amount> {
    const room = await this.dispatcher.room();
    if (room.hot + room.slow === 0) return 'some';
    const deliveries = await pickDueDeliveries(this.database, room);
    await this.dispatcher.dispatch(deliveries);
    return deliveries.length > 0 ? 'some' : 'none';
  }
}
