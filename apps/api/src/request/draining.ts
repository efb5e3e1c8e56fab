import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { Connections } from './connections.js';

/** After the time to drain. Together they leave room in the 30 s of CONTRACT.md 10 to close the rest. */
const LIMITS = {
  /** For what is half sent to arrive. */
  unfinishedMs: 5_000,
  /** For requests to be answered. */
  runningMs: 25_000,
  /** From the signal on: whatever the time to drain is, no request is waited for any longer. */
  wholeMs: 28_000,
};

/**
 * How a process ends behind a load balancer: for a while it goes on to serve, says that nothing more should be sent to it, and lets no
 * connection be kept. After that what runs is answered, within limits: no client decides how long a process lives.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #connections = new Connections();
  readonly #logger = new Logger('draining');
  private readonly limits = LIMITS;
  #isOn = false;
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  get isOn(): boolean {
    return this.#isOn;
  }

  guard(fastify: FastifyInstance): void {
    this.#connections.watch(fastify.server);
    fastify.addHook('onRequest', (_request, reply, done) => {
      if (this.#isOn) void reply.header('connection', 'close');
      done();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isOn = true;
    const drainMs = this.environment.DRAIN_SECONDS * 1_000;
    await sleep(drainMs);
    const { unfinishedMs, runningMs, wholeMs } = this.limits;
    this.#connections.closeSilent();
    this.#timers = [
      setTimeout(() => this.#connections.closeUnfinished(), unfinishedMs),
      setTimeout(() => this.#breakOff(), Math.min(runningMs, wholeMs - drainMs)),
    ];
  }

  /** When no connection is left. */
  onApplicationShutdown(): void {
    this.#timers.forEach(clearTimeout);
  }

  #breakOff(): void {
    const requests = this.#connections.closeAll();
    this.#logger.warn(`requests that were broken off so that the process ends: ${requests}`);
  }
}
