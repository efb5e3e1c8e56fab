import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Measures } from '../counters/metrics.js';
import { Reconciler } from './reconciler.js';

@Module({
  providers: [
    {
      provide: Reconciler,
      inject: [Database, Measures, LOGGER],
      useFactory: (database: Database, measures: Measures, logger: Logger) =>
        new Reconciler({ database, measures, logger }),
    },
  ],
  exports: [Reconciler],
})
export class ReconcilingModule {}
