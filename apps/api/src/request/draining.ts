import { type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

/**
 * Who is connected, and what was asked on each connection and is not answered. Node closes idle connections by itself when a server
 * closes; to it one that has sent nothing, half of its headers or half of a body is busy, for as long as its client likes.
 */
class Connections {
  readonly #unanswered = new Map<Socket, Set<IncomingMessage>>();

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#unanswered.set(socket, new Set());
      socket.once('close', () => this.#unanswered.delete(socket));
    });
    server.on('request', (request, response) => {
      const requests = this.#unanswered.get(request.socket);
      requests?.add(request);
      response.once('close', () => requests?.delete(request));
    });
  }

  /** Closes those on which nothing was ever sent: balancers and browsers open some ahead. */
  closeSilent(): void {
    this.#close(({ bytesRead }) => bytesRead === 0);
  }

  /** Closes those on which no request is waited for that was sent whole. */
  closeUnfinished(): void {
    this.#close((_socket, unanswered) => ![...unanswered].some(({ complete }) => complete));
  }

  /** @returns how many requests it has broken off */
  closeAll(): number {
    const requests = [...this.#unanswered.values()].reduce((sum, { size }) => sum + size, 0);
    this.#close(() => true);
    return requests;
  }

  #close(isMeant: (socket: Socket, unanswered: ReadonlySet<IncomingMessage>) => boolean): void {
    for (const [socket, unanswered] of this.#unanswered) if (isMeant(socket, unanswered)) socket.destroy();
  }
}

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
