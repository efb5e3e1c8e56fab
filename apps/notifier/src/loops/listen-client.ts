import { setTimeout as sleep } from 'node:timers/promises';
import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { failureLevel } from '../config/logger.js';

/** The part of a PostgreSQL connection that `onConnect` may use. */
export interface ListeningConnection {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export interface ListenClientOptions {
  readonly database: Database;
  readonly logger: Logger;
  /**
   * Maps a channel to its callback. All callbacks are also called after each connection, because notifications may have
   * been missed before.
   */
  readonly listeners: Readonly<Record<string, () => void>>;
  /** Runs on each new connection, before the listeners are called. */
  readonly onConnect?: (connection: ListeningConnection) => Promise<void>;
}

const RECONNECT_MS = 500;

/**
 * Keeps one PostgreSQL connection open and listens for `NOTIFY` on it. It reconnects until it is stopped. Notifications
 * only save time: loops also find new rows by polling.
 */
export class ListenClient {
  private isStopping = false;
  private release: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: ListenClientOptions) {}

  /** Resolves after the first connection or after the first failed attempt to connect. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.running ??= this.run(resolve);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.release?.();
    await this.running;
  }

  private async run(onFirst: () => void): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.connect(onFirst);
      } catch (error) {
        this.options.logger[failureLevel(error, 'warn')]({ err: error }, 'lost the connection of the worker heartbeat');
      }
      onFirst();
      if (!this.isStopping) await sleep(RECONNECT_MS);
    }
  }

  /**
   * Resolves when `stop` is called.
   * @throws when the connection is lost
   */
  private async connect(onConnected: () => void): Promise<void> {
    const { database, listeners, onConnect } = this.options;
    const client = await database.pool.connect();
    try {
      const lost = new Promise<void>((resolve, reject) => {
        this.release = resolve;
        client.once('error', reject);
        client.once('end', () =>
          reject(new Error('the connection that listens for notifications of PostgreSQL was closed')),
        );
      });
      // `lost` is awaited only below. Without this handler, a connection that is lost before that would cause an
      // unhandled rejection.
      lost.catch(() => undefined);
      client.on('error', () => undefined);
      client.on('notification', ({ channel }) => listeners[channel]?.());
      for (const channel of Object.keys(listeners)) await client.query(`LISTEN ${channel}`);
      await onConnect?.(client);
      onConnected();
      for (const notify of Object.values(listeners)) notify();
      await lost;
    } finally {
      client.removeAllListeners('notification');
      // The connection is destroyed, not returned to the pool, so that its locks and its LISTEN end.
      client.release(true);
    }
  }
}
