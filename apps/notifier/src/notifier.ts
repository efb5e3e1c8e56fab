import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@ats/logging';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER } from './config/logger.js';
import { LoopRunner } from './loops/loop-runner.js';
import { WorkerHeartbeat } from './loops/worker-heartbeat.js';
import { Workers } from './loops/workers.js';

/**
 * Time for running work to end after SIGTERM. An attempt to deliver takes at most 15 s, and an e-mail usually takes
 * seconds. Work that takes longer is repeated after its lease has expired.
 */
const DRAIN_MS = 25_000;

/** Starts and stops all loops and workers that modules have added. */
@Injectable()
export class Notifier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopped = (): void => undefined;

  constructor(
    private readonly heartbeat: WorkerHeartbeat,
    private readonly workers: Workers,
    private readonly loops: LoopRunner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    loops.onStuck(() => this.beforeApplicationShutdown());
  }

  /**
   * Sets a listener that is called when all work has ended, or when `DRAIN_MS` have passed. After this time, only
   * connections must be closed.
   */
  onStopped(listener: () => void): void {
    this.stopped = listener;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.heartbeat.start();
    this.workers.start();
    this.loops.start();
    this.logger.info({ worker: this.heartbeat.worker }, 'the notifier has started');
  }

  /** Takes no new work and finishes the running work. Nest then closes the queues and the database. */
  async beforeApplicationShutdown(): Promise<void> {
    this.logger.info('the notifier is stopping');
    const isDrained = await Promise.race([this.drain().then(() => true), sleep(DRAIN_MS, false, { ref: false })]);
    this.workers.close();
    if (isDrained) this.logger.info('the notifier has stopped');
    else this.logger.warn('the notifier stopped before all its work was done: another notifier continues the work');
    this.stopped();
  }

  private async drain(): Promise<void> {
    await this.loops.stop();
    await this.workers.drain();
    await this.heartbeat.stop();
  }
}
