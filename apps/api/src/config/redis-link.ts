import { type RedisClient } from '@ats/redis-connection';
import { Logger } from '@nestjs/common';

/** Default timeout of a command in ms. It is longer than a healthy server needs, and short compared with a request. */
export const COMMAND_TIMEOUT_MS = 100;
/**
 * Time in ms after a timeout during which all commands are skipped. It is short, because perhaps only one node of a
 * cluster is slow.
 */
const PAUSE_MS = 1_000;
const PROBE_AGAIN_MS = 200;
/** Minimum time between two warnings, so that an unstable server does not flood the log. */
const WARNING_INTERVAL_MS = 10_000;

export interface AskOptions<Answer> {
  /** Timeout in ms. */
  readonly timeoutMs?: number;
  /** Receives an answer that arrives after the timeout. */
  readonly late?: (answer: Answer) => void;
}

/**
 * The API's connection to Redis, a circuit breaker around the client. No request depends on Redis: a command is
 * answered within its timeout or not at all. While Redis is known to be unavailable, commands are skipped at once.
 * After a timeout, commands are skipped for at least a second and until a probe succeeds.
 */
export class RedisLink {
  readonly #logger = new Logger('redis');
  /** Functions that each end the wait of one running command. */
  readonly #waiting = new Set<() => void>();
  #isPaused = false;
  #isClosed = false;
  #isFailing = false;
  #warnedAt = -Infinity;

  /** Uses a client. @param timeoutMs  default timeout of a command in ms */
  constructor(
    private readonly client: RedisClient,
    private readonly timeoutMs = COMMAND_TIMEOUT_MS,
  ) {
    client.on('error', (error: unknown) => this.#onFailure(error));
  }

  /** True while commands are sent, false while they are skipped. */
  get isUp(): boolean {
    return this.client.status === 'ready' && !this.#isPaused && !this.#isClosed;
  }

  /**
   * Sends a command and waits for its answer. Never rejects.
   * @returns undefined without a connection, without an answer in time, or when the answer is an error
   */
  ask<Answer>(
    question: (client: RedisClient) => Promise<Answer>,
    { timeoutMs = this.timeoutMs, late }: AskOptions<Answer> = {},
  ): Promise<Answer | undefined> {
    if (!this.isUp) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (end()) resolve(undefined);
      };
      const timer = setTimeout(() => this.#onTimeout(giveUp), timeoutMs);
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
          this.#onFailure(error);
          giveUp();
        },
      );
    });
  }

  /** Configures the client, for example with scripts, before the first command. */
  setUp(work: (client: RedisClient) => void): void {
    work(this.client);
  }

  /** Calls the listener after every new connection. Redis may have lost the writes that it received shortly before. */
  onConnected(listener: () => void): void {
    this.client.on('ready', listener).on('+node', listener);
  }

  /** Sends a command without waiting for its answer. */
  tell(command: (client: RedisClient) => Promise<unknown>): void {
    if (this.isUp) command(this.client).catch((error: unknown) => this.#onFailure(error));
  }

  /** Resolves at the first connection, at the first failure, or after the timeout. */
  async connected(timeoutMs: number): Promise<void> {
    if (this.client.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      for (const event of ['ready', 'error', 'close'] as const)
        this.client.once(event, () => (clearTimeout(timer), resolve()));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.client.disconnect();
  }

  #onTimeout(giveUp: () => void): void {
    // Waits for `setImmediate` after the timeout. On a busy process, Node may not have read an answer yet that arrived
    // in time.
    setImmediate(() => {
      if (!this.#waiting.has(giveUp) || this.#isPaused) return giveUp();
      this.#isPaused = true;
      this.#onFailure(new Error('Redis did not answer in time'));
      for (const give of [...this.#waiting]) give();
      this.#probeAfter(PAUSE_MS);
    });
  }

  #probeAfter(delayMs: number): void {
    const probe = (): void => {
      if (this.#isClosed) return;
      this.client.ping().then(
        () => {
          this.#isPaused = false;
          this.#onAnswer();
        },
        () => this.#probeAfter(PROBE_AGAIN_MS),
      );
    };
    setTimeout(probe, delayMs).unref();
  }

  /** Logs the text of an error. The text has no data of the service, because Redis or the Redis client wrote it. */
  #onFailure(error: unknown): void {
    const now = performance.now();
    if (this.#isClosed || this.#isFailing || now - this.#warnedAt < WARNING_INTERVAL_MS) return;
    this.#isFailing = true;
    this.#warnedAt = now;
    this.#logger.warn(
      `Redis is unavailable, so requests are served without it: ${error instanceof Error ? error.message || error.name : String(error)}`,
    );
  }

  #onAnswer(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#logger.log('Redis answers again');
  }
}
