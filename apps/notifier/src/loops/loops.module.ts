import { EVENT_CHANNEL, MAIL_CHANNEL } from '@ats/domain';
import { Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { Global, Module } from '@nestjs/common';
import { LOGGER } from '../config/logger.js';
import { Metrics } from '../counters/metrics.js';
import { LoopRunner } from './loop-runner.js';
import { LowWaterMarks } from './low-water-marks.js';
import { DueSignal, EventSignal, MailSignal } from './signals.js';
import { Watchdog } from './watchdog.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';
import { Workers } from './workers.js';

const WATCH_MS = 5_000;
const READ_MARKS_MS = 1_000;

@Global()
@Module({
  providers: [
    DueSignal,
    EventSignal,
    MailSignal,
    Workers,
    {
      provide: LowWaterMarks,
      inject: [Database],
      useFactory: (database: Database) => new LowWaterMarks(database),
    },
    {
      provide: Watchdog,
      inject: [LOGGER],
      useFactory: (logger: Logger) =>
        new Watchdog({ logger, now: () => performance.now(), exit: () => process.exit(1) }),
    },
    {
      provide: LoopRunner,
      inject: [Watchdog, Metrics, LOGGER, LowWaterMarks],
      useFactory: (watchdog: Watchdog, metrics: Metrics, logger: Logger, lowWaterMarks: LowWaterMarks) => {
        const loops = new LoopRunner(watchdog, metrics, logger);
        loops.add({ name: 'watching', busyMs: WATCH_MS, idleMs: WATCH_MS, work: () => watchdog.look() });
        loops.add({
          name: 'low-water marks',
          busyMs: READ_MARKS_MS,
          idleMs: READ_MARKS_MS,
          work: () => lowWaterMarks.refreshed().then(() => 'none'),
        });
        return loops;
      },
    },
    {
      provide: WorkerHeartbeat,
      inject: [Database, LOGGER, EventSignal, MailSignal],
      useFactory: (database: Database, logger: Logger, events: EventSignal, mails: MailSignal) =>
        new WorkerHeartbeat({
          database,
          logger,
          listeners: { [EVENT_CHANNEL]: events.raise, [MAIL_CHANNEL]: mails.raise },
        }),
    },
  ],
  exports: [DueSignal, EventSignal, LoopRunner, LowWaterMarks, MailSignal, Watchdog, WorkerHeartbeat, Workers],
})
export class LoopsModule {}
