import { Database } from '@ats/postgres';
import { Module } from '@nestjs/common';
import { type Clock, CLOCK } from '../config/clock.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';
import { type Logger } from '@ats/logging';
import { LOGGER } from '../config/logger.js';
import { Matcher } from './matcher.js';
import { createReadSubject } from './read-subject.js';

@Module({
  providers: [
    {
      provide: Matcher,
      inject: [Database, ENVIRONMENT, CLOCK, LOGGER],
      useFactory: (database: Database, { PUBLIC_BASE_URL: baseUrl }: Environment, clock: Clock, logger: Logger) =>
        new Matcher({ database, baseUrl, clock, logger, readSubject: createReadSubject(baseUrl) }),
    },
  ],
  exports: [Matcher],
})
export class MatchingModule {}
