import { type RedisClient } from '@ats/redis-connection';
import { Logger } from '@nestjs/common';

/** Slower than any answer of a server that is well, and short beside what a request takes anyway. */
export const PATIENCE_MS = 100;
/** For so long nothing more is asked of a server that has not answered: of a cluster it may be one node of many. */
const QUIET_MS = 1_000;
const PROBE_AGAIN_MS = 200;
/** A server that is now well and now not fills no log. */
const TOLD_AGAIN_MS = 10_000;

export interface AskOptions<Answer> {
  /** Milliseconds that the answer is worth waiting for. */
  readonly patienceMs?: number;
  /** Told the answer that came when nobody waited for it any more. */
  readonly late?: (answer: Answer) => void;
}

/**
 * The API's one connection to Redis. Nothing depends on it: what is asked has an answer soon, or none. While the server is known to be
 * away nobody waits at all; when it stops answering, those who ask at that moment wait a tenth of a second, and for the next second nobody does.
 */
export class RedisLink {
  readonly #logger = new Logger('redis');
  /** What ends the waiting of each question that is under way. */
  readonly #waiting = new Set<() => void>();
  #isSilent = false;
  #isClosed = false;
  #isInTrouble = false;
  #toldAt = -Infinity;

  /** @param patienceMs how long an answer is waited for, unless a question says so itself */
  constructor(
    private readonly client: RedisClient,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    client.on('error', (error: unknown) => this.#onTrouble(error));
  }

  /** Whether it is worth asking. */
  get isUp(): boolean {
    return this.client.status === 'ready' && !this.#isSilent && !this.#isClosed;
  }

  /** @returns undefined when there is no connection, no answer in time, or the answer is an error */
  ask<Answer>(
    question: (client: RedisClient) => Promise<Answer>,
    { patienceMs = this.patienceMs, late }: AskOptions<Answer> = {},
  ): Promise<Answer | undefined> {
    if (!this.isUp) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (end()) resolve(undefined);
      };
      const timer = setTimeout(() => this.#onSilence(giveUp), patienceMs);
      const end = (): boolean => {
        clearTimeout(timer);
        return this.#waiting.delete(giveUp);
      };
      this.#waiting.add(giveUp);
      question(this.client).then(
        (answer) => {
          if (end()) {
            this.#onAnswer();
            resolve(answer);
          } else late?.(answer);
        },
        (error: unknown) => {
          this.#onTrouble(error);
          giveUp();
        },
      );
    });
  }

  /** For what is to be known of the client before anything is asked. */
  setUp(work: (client: RedisClient) => void): void {
    work(this.client);
  }

  /** Calls back whenever a connection is there again: what was written to the server right before may be lost. */
  onConnected(listener: () => void): void {
    this.client.on('ready', listener).on('+node', listener);
  }

  /** Something that nobody waits for. */
  tell(command: (client: RedisClient) => Promise<unknown>): void {
    if (this.isUp) command(this.client).catch((error: unknown) => this.#onTrouble(error));
  }

  /** Resolves when the first connection is there, or does not come soon. */
  async connected(patienceMs: number): Promise<void> {
    if (this.client.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      for (const event of ['ready', 'error', 'close'] as const)
        this.client.once(event, () => (clearTimeout(timer), resolve()));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.client.disconnect();
  }

  #onSilence(giveUp: () => void): void {
    // A process that was busy itself finds the answer in the socket, which is read before this.
    setImmediate(() => {
      if (!this.#waiting.has(giveUp) || this.#isSilent) return giveUp();
      this.#isSilent = true;
      this.#onTrouble(new Error('no answer in time'));
      for (const give of [...this.#waiting]) give();
      this.#probeAfter(QUIET_MS);
    });
  }

  #probeAfter(delayMs: number): void {
    const probe = (): void => {
      if (this.#isClosed) return;
      this.client.ping().then(
        () => {
          this.#isSilent = false;
          this.#onAnswer();
        },
        () => this.#probeAfter(PROBE_AGAIN_MS),
      );
    };
    setTimeout(probe, delayMs).unref();
  }

  /** The texts are the client's and the server's: they hold no data of ours. */
  #onTrouble(error: unknown): void {
    const now = performance.now();
    if (this.#isClosed || this.#isInTrouble || now - this.#toldAt < TOLD_AGAIN_MS) return;
    this.#isInTrouble = true;
    this.#toldAt = now;
    this.#logger.warn(
      `requests pass without Redis: ${error instanceof Error ? error.message || error.name : String(error)}`,
    );
  }

  #onAnswer(): void {
    if (!this.#isInTrouble) return;
    this.#isInTrouble = false;
    this.#logger.log('Redis answers again');
  }
}
