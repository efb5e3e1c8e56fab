import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';

/**
 * How a process ends behind a load balancer: for a while it goes on to serve, says that nothing more should be sent to it, and lets no
 * connection be kept. What is closed after that is of use to nobody.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  #isOn = false;

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  get isOn(): boolean {
    return this.#isOn;
  }

  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (_request, reply, done) => {
      if (this.#isOn) void reply.header('connection', 'close');
      done();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isOn = true;
    await sleep(this.environment.DRAIN_SECONDS * 1_000);
  }
}
