import { Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { Module } from '@nestjs/common';
import { type Clock, CLOCK } from '../config/clock.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { LOGGER } from '../config/logger.js';
import { Metrics } from '../counters/metrics.js';
import { LowWaterMarks } from '../loops/low-water-marks.js';
import { LoopRunner, POLL } from '../loops/loop-runner.js';
import { DueSignal, EventSignal } from '../loops/signals.js';
import { MatchingRound } from './matching-round.js';
import { Matcher } from './matcher.js';
import { createReadSubject } from './read-subject.js';

@Module({
  providers: [
    {
      provide: Matcher,
      inject: [Database, LowWaterMarks, ENVIRONMENT, CLOCK, LOGGER],
      useFactory: (
        database: Database,
        lowWaterMarks: LowWaterMarks,
        { PUBLIC_BASE_URL: baseUrl }: Environment,
        clock: Clock,
        logger: Logger,
      ) => new Matcher({ database, lowWaterMarks, baseUrl, clock, logger, readSubject: createReadSubject(baseUrl) }),
    },
    {
      provide: MatchingRound,
      inject: [Matcher, Metrics, LOGGER, DueSignal],
      useFactory: (matcher: Matcher, metrics: Metrics, logger: Logger, due: DueSignal) =>
        new MatchingRound({ matcher, metrics, logger, onDue: due.raise }),
    },
  ],
})
export class MatchingModule {
  constructor(loops: LoopRunner, round: MatchingRound, events: EventSignal) {
    loops.add({ name: 'matching', ...POLL, work: () => round.match(), wakeOn: events });
  }
}
