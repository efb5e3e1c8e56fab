import { continueRedeliveries } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';

export interface RedelivererOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Told when something is due. */
  readonly onDue: () => void;
}

/** Works off what clients want to have sent again since a moment, a batch at a time. Source: NOTIFIER.md 3, row 26. */
export class Redeliverer {
  constructor(private readonly options: RedelivererOptions) {}

  async redeliver(): Promise<Amount> {
    const { database, logger, onDue } = this.options;
    const { running, redelivered } = await continueRedeliveries(database);
    if (redelivered > 0) {
      logger.info({ redelivered }, 'deliveries are sent again');
      onDue();
    }
    return running > 0 ? 'some' : 'none';
  }
}
