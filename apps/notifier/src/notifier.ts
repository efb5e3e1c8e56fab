import { RedisConnections } from '@ats/redis-connection';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Announcer } from './maintenance/posting-status-scheduler.js';
import { DestinationClient } from './delivery/http/destination-client.js';
import { BullWorkers } from './queues/bull-worker.js';
import { Dispatcher } from './delivery/lane-dispatcher.js';
import { Feeder } from './delivery/due-poller.js';
import { type Logger } from '@ats/logging';
import { faultLevel } from './config/fault-level.js';
import { LOGGER } from './config/logger.js';
import { type Mailing, MAILING } from './mail/mailing.js';
import { BATCH_SIZE, Matcher } from './matching/matcher.js';
import { Measures } from './counters/metrics.js';
import { Reconciler } from './maintenance/reconciler.js';
import { Redeliverer } from './maintenance/redeliverer.js';
import { Retention } from './maintenance/retention.js';
import { Sweeper } from './maintenance/sweeper.js';
import { Watchdog } from './loops/watchdog.js';
import { type Amount, PollLoop } from './loops/poll-loop.js';
import { DueSignal, EventSignal, MailSignal } from './loops/signals.js';
import { WorkerPresence } from './loops/worker-heartbeat.js';

const POLL = { busyMs: 100, idleMs: 1_000 } as const;
/** Each end of an attempt wakes it: a moment's rest, and it moves many at a time. */
const FEED = { ...POLL, restMs: 25 } as const;
/** A row without its job is found within this time and the age from which rows are checked: 1 to 2 seconds. */
const SWEEP = { busyMs: 1_000, idleMs: 1_000 } as const;
/** A day begins once a day; a minute later is soon enough to tell of it. */
const ANNOUNCE = { busyMs: 60_000, idleMs: 60_000 } as const;
const MAINTAIN = { busyMs: 60_000, idleMs: 3_600_000 } as const;
/** While there is more to compare it goes on, with time for others in between. */
const RECONCILE = { busyMs: 1_000, idleMs: 60_000 } as const;
const WATCH = { busyMs: 5_000, idleMs: 5_000 } as const;
/** An attempt to deliver takes at most 15 s, one to send an e-mail seconds as a rule; what has not ended by then is left to the lease. */
const DRAIN_MS = 25_000;

/** Everything that runs by itself, in the order in which it starts and, the other way round, stops. */
@Injectable()
export class Notifier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly matching: PollLoop;
  private readonly feeding: PollLoop;
  private readonly loops: readonly PollLoop[];
  private stopped = (): void => undefined;

  constructor(
    private readonly matcher: Matcher,
    private readonly workers: BullWorkers,
    private readonly dispatcher: Dispatcher,
    private readonly client: DestinationClient,
    private readonly presence: WorkerPresence,
    private readonly redis: RedisConnections,
    private readonly measures: Measures,
    private readonly watchdog: Watchdog,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(MAILING) private readonly mailing: Mailing | null,
    announcer: Announcer,
    feeder: Feeder,
    sweeper: Sweeper,
    redeliverer: Redeliverer,
    retention: Retention,
    reconciler: Reconciler,
    events: EventSignal,
    due: DueSignal,
    mails: MailSignal,
  ) {
    this.matching = this.loop('matching', POLL, () => this.match());
    this.feeding = this.loop('feeding', FEED, () => feeder.feed());
    this.loops = [
      this.matching,
      this.feeding,
      this.loop('sweeping', SWEEP, () => sweeper.sweep()),
      this.loop('redelivering', POLL, () => redeliverer.redeliver()),
      this.loop('announcing', ANNOUNCE, () => announcer.announce()),
      this.loop('maintaining', MAINTAIN, () => retention.maintain()),
      this.loop('reconciling', RECONCILE, () => reconciler.reconcile()),
      this.loop('watching', WATCH, () => watchdog.look()),
      ...this.mailLoops(mails),
    ];
    events.onRaise(() => this.matching.wake());
    due.onRaise(() => this.feeding.wake());
    watchdog.onStuck(() => this.beforeApplicationShutdown());
  }

  /** Told when everything that ran has ended, or was waited for long enough: what is left is to close connections. */
  onStopped(listener: () => void): void {
    this.stopped = listener;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.presence.start();
    this.workers.start();
    this.mailing?.worker.start();
    for (const loop of this.loops) loop.start();
    this.logger.info({ worker: this.presence.worker }, 'notifier started');
  }

  /** Before Nest closes the queues and the database: takes nothing new, finishes what runs. */
  async beforeApplicationShutdown(): Promise<void> {
    this.logger.info('notifier stopping');
    const isDrained = await Promise.race([this.drain().then(() => true), sleep(DRAIN_MS, false, { ref: false })]);
    this.redis.close();
    this.client.close();
    this.mailing?.close();
    if (isDrained) this.logger.info('notifier stopped');
    else this.logger.warn('notifier stopped before everything had ended: the rest is taken up by another one');
    this.stopped();
  }

  private async drain(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await Promise.all([
      this.workers.close(),
      this.dispatcher.drain(),
      this.mailing?.worker.close(),
      this.mailing?.drain(),
    ]);
    await this.presence.stop();
  }

  private mailLoops(due: MailSignal): readonly PollLoop[] {
    if (!this.mailing) return [];
    const { feeder, sweeper } = this.mailing;
    const feeding = this.loop('mail feeding', FEED, () => feeder.feed());
    due.onRaise(() => feeding.wake());
    return [feeding, this.loop('mail sweeping', SWEEP, () => sweeper.sweep())];
  }

  private async match(): Promise<Amount> {
    const { events, deliveries } = await this.matcher.matchBatch();
    this.measures.matched({ events, deliveries });
    if (deliveries > 0) this.feeding.wake();
    if (events > 0) this.logger.debug({ events, deliveries }, 'matched');
    if (events >= BATCH_SIZE) return 'more';
    return events > 0 ? 'some' : 'none';
  }

  private loop(
    name: string,
    pauses: { readonly busyMs: number; readonly idleMs: number; readonly restMs?: number },
    work: () => Promise<Amount>,
  ): PollLoop {
    const onError = (error: unknown): void => {
      this.measures.stepFailed(name);
      this.logger[faultLevel(error, 'error')]({ loop: name, err: error }, 'a step failed and is repeated');
    };
    return new PollLoop({ ...pauses, work: () => this.watchdog.follow(name, work), onError });
  }
}
