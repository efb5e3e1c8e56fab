import { publishChanges } from '@ats/domain';
import { Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { LOGGER } from '../config/logger.js';
import { Metrics } from '../counters/metrics.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { LaneDispatcher } from '../delivery/lane-dispatcher.js';
import { LowWaterMarks } from '../loops/low-water-marks.js';
import { LoopRunner, POLL } from '../loops/loop-runner.js';
import { type Pauses } from '../loops/poll-loop.js';
import { DueSignal, EventSignal } from '../loops/signals.js';
import { CandidateRetention } from './candidate-retention.js';
import { PostingStatusScheduler } from './posting-status-scheduler.js';
import { Reconciler } from './reconciler.js';
import { Redeliverer } from './redeliverer.js';
import { Retention } from './retention.js';
import { Sweeper } from './sweeper.js';

/**
 * The pauses of the sweeper. It checks jobs that are at least 1 s old, so it finds a row without a job after 1 to 2 s.
 */
const SWEEP: Pauses = { busyMs: 1_000, idleMs: 1_000 };
/**
 * The pauses of the posting status scheduler. Postings change their status at midnight, or when the time zone of the
 * system changes, and their events may be a minute late.
 */
const POSTING_STATUS: Pauses = { busyMs: 30_000, idleMs: 30_000 };
const RETAIN: Pauses = { busyMs: 60_000, idleMs: 3_600_000 };
/**
 * The pauses of the retention of candidates. The idle pause may be long, because the retention rule counts days. The
 * pause between two batches leaves the database time for other work.
 */
const RETAIN_CANDIDATES: Pauses = { busyMs: 1_000, idleMs: 600_000 };
/** The pauses of the reconciliation. The pause after a busy round leaves the database time for other work. */
const RECONCILE: Pauses = { busyMs: 1_000, idleMs: 60_000 };

/** Runs the loops of the sweeper, redelivery, reconciliation, retention and posting statuses, and publishes changes. */
@Module({
  imports: [DeliveryModule],
  providers: [
    {
      provide: Sweeper,
      inject: [LoopRunner, Database, LowWaterMarks, LaneDispatcher, LOGGER, Metrics, DueSignal],
      useFactory: (
        loops: LoopRunner,
        database: Database,
        lowWaterMarks: LowWaterMarks,
        dispatcher: LaneDispatcher,
        logger: Logger,
        metrics: Metrics,
        due: DueSignal,
      ) => {
        // Changes are also published here, so that the inbox stays small while no client reads the changes feed.
        loops.add({
          name: 'publishing changes',
          ...POLL,
          work: async () => ((await publishChanges(database)) > 0 ? 'some' : 'none'),
        });
        const sweeper = new Sweeper({ database, lowWaterMarks, dispatcher, logger, metrics, onDue: due.raise });
        loops.add({ name: 'sweeping', ...SWEEP, work: () => sweeper.sweep() });
        return sweeper;
      },
    },
    {
      provide: Redeliverer,
      inject: [LoopRunner, Database, LOGGER, DueSignal],
      useFactory: (loops: LoopRunner, database: Database, logger: Logger, due: DueSignal) => {
        const redeliverer = new Redeliverer({ database, logger, onDue: due.raise });
        loops.add({ name: 'redelivering', ...POLL, work: () => redeliverer.redeliver() });
        return redeliverer;
      },
    },
    {
      provide: PostingStatusScheduler,
      inject: [LoopRunner, Database, ENVIRONMENT, EventSignal],
      useFactory: (
        loops: LoopRunner,
        database: Database,
        { PUBLIC_BASE_URL: baseUrl }: Environment,
        events: EventSignal,
      ) => {
        const scheduler = new PostingStatusScheduler({ database, baseUrl, onEvent: events.raise });
        loops.add({ name: 'posting status', ...POSTING_STATUS, work: () => scheduler.raiseEvents() });
        return scheduler;
      },
    },
    {
      provide: Retention,
      inject: [LoopRunner, Database, ENVIRONMENT, LOGGER],
      useFactory: (
        loops: LoopRunner,
        database: Database,
        {
          DELIVERY_RETENTION_DAYS: deliveryDays,
          EVENT_RETENTION_DAYS: eventDays,
          AUDIT_RETENTION_DAYS: auditDays,
        }: Environment,
        logger: Logger,
      ) => {
        const retention = new Retention({ database, logger, deliveryDays, eventDays, auditDays });
        loops.add({ name: 'retention', ...RETAIN, work: () => retention.maintain() });
        return retention;
      },
    },
    {
      provide: CandidateRetention,
      inject: [LoopRunner, Database, ENVIRONMENT, LOGGER, EventSignal],
      useFactory: (
        loops: LoopRunner,
        database: Database,
        { PUBLIC_BASE_URL: baseUrl }: Environment,
        logger: Logger,
        events: EventSignal,
      ) => {
        const retention = new CandidateRetention({ database, baseUrl, logger, onEvent: events.raise });
        loops.add({ name: 'candidate retention', ...RETAIN_CANDIDATES, work: () => retention.apply() });
        return retention;
      },
    },
    {
      provide: Reconciler,
      inject: [LoopRunner, Database, Metrics, LOGGER],
      useFactory: (loops: LoopRunner, database: Database, metrics: Metrics, logger: Logger) => {
        const reconciler = new Reconciler({ database, metrics, logger });
        loops.add({ name: 'reconciling', ...RECONCILE, work: () => reconciler.reconcile() });
        return reconciler;
      },
    },
  ],
})
export class MaintenanceModule {}
