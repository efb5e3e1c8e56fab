import { type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

/**
 * The open connections, each with the number of its unanswered requests. When a server closes, Node closes only idle
 * connections. Node keeps a connection on which the client has sent nothing or only a part of a request.
 */
class Connections {
  readonly #unanswered = new Map<Socket, Set<IncomingMessage>>();

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#watchSocket(socket));
    // A TLS server reports each connection twice: first its TCP socket, and after the handshake its TLS socket, which
    // receives the requests. From the handshake on, only the TLS socket counts.
    const handshakes = new Map<string, Socket>();
    server.on('connection', (socket: Socket) => {
      if (!(server instanceof TlsServer)) return;
      const peer = peerOf(socket);
      handshakes.set(peer, socket);
      socket.once('close', () => handshakes.delete(peer));
    });
    server.on('secureConnection', (socket: Socket) => {
      const below = handshakes.get(peerOf(socket));
      if (below) this.#unanswered.delete(below);
      this.#watchSocket(socket);
    });
    server.on('request', (request, response) => {
      const requests = this.#unanswered.get(request.socket);
      requests?.add(request);
      response.once('close', () => requests?.delete(request));
    });
  }

  #watchSocket(socket: Socket): void {
    this.#unanswered.set(socket, new Set());
    socket.once('close', () => this.#unanswered.delete(socket));
  }

  /** Closes connections on which the client has sent nothing. Load balancers and browsers open them in advance. */
  closeSilent(): void {
    this.#close(({ bytesRead }) => bytesRead === 0);
  }

  /** Closes connections on which no complete request waits for an answer. */
  closeUnfinished(): void {
    this.#close((_socket, unanswered) => ![...unanswered].some(({ complete }) => complete));
  }

  /** Closes all connections. @returns the number of aborted requests */
  closeAll(): number {
    const requests = [...this.#unanswered.values()].reduce((sum, { size }) => sum + size, 0);
    this.#close(() => true);
    return requests;
  }

  #close(matches: (socket: Socket, unanswered: ReadonlySet<IncomingMessage>) => boolean): void {
    for (const [socket, unanswered] of this.#unanswered) if (matches(socket, unanswered)) socket.destroy();
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Time limits of the shutdown. They leave time to close everything else within 30 seconds.
 * Source: docs/reference/operations.md, "Shutdown".
 */
const LIMITS = {
  /** Milliseconds after `DRAIN_SECONDS` in which clients may finish sending requests that they have begun to send. */
  unfinishedMs: 5_000,
  /** Milliseconds after `DRAIN_SECONDS` in which running requests may finish. */
  runningMs: 25_000,
  /** Hard deadline in ms after SIGTERM, whatever `DRAIN_SECONDS` is. */
  wholeMs: 28_000,
};

/**
 * Ends a process behind a load balancer. For `DRAIN_SECONDS` the process still answers requests, but `/health/serving`
 * is 503 and clients are asked to close their connections. Then the process finishes its running requests. It stops at
 * a deadline, so that no client can keep it alive.
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
      setTimeout(() => this.#abortAll(), Math.min(runningMs, wholeMs - drainMs)),
    ];
  }

  /** Nest calls this method when all connections are closed. */
  onApplicationShutdown(): void {
    this.#timers.forEach(clearTimeout);
  }

  #abortAll(): void {
    const requests = this.#connections.closeAll();
    this.#logger.warn(`requests aborted, because they were still running at the shutdown deadline: ${requests}`);
  }
}
