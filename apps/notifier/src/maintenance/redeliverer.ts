import { continueRedeliveries } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';

export interface RedelivererOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Called when at least one delivery has become due. */
  readonly onDue: () => void;
}

/** Continues redeliveries of whole periods that clients have requested, one batch at a time. */
export class Redeliverer {
  constructor(private readonly options: RedelivererOptions) {}

  async redeliver(): Promise<Amount> {
    const { database, logger, onDue } = this.options;
    const { running, redelivered } = await continueRedeliveries(database);
    if (redelivered > 0) {
      logger.info({ redelivered }, 'deliveries are due again, because clients asked for redelivery');
      onDue();
    }
    return running > 0 ? 'some' : 'none';
  }
}
