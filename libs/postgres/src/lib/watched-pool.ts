import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { type DatabaseWatch } from './database-watch.js';
import { MeteredClient } from './metered-client.js';

export interface WatchedPoolConfig extends pg.PoolConfig {
  readonly watch?: DatabaseWatch | undefined;
}

type Callback = Parameters<pg.Pool['connect']>[0];

/** A pool that refuses a connection at once while the server is known to be unavailable. */
export class WatchedPool extends pg.Pool {
  readonly #watch: DatabaseWatch | undefined;

  constructor({ watch, ...config }: WatchedPoolConfig) {
    super({ Client: MeteredClient, ...config, ...(watch && { stream: watch.openSocket }) });
    this.#watch = watch;
    watch?.add(this);
    // Connections to a standby are closed. After a failover, a new connection may reach the primary.
    if (watch) this.on('release', (_error, client) => watch.state === 'read_only' && void client.end());
  }

  closeIdle(): void {
    for (let left = this.idleCount; left > 0; left--) super.connect((_error, _client, release) => release(true));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const watch = this.#watch;
    // The pool runs this callback in the asynchronous context of the statement that has freed a connection. `bind`
    // restores the context of the waiting statement, which may belong to another consumer.
    const bound = callback && AsyncResource.bind(callback);
    if (!watch) return bound ? super.connect(bound) : super.connect();
    if (bound) return this.#connectWatched(watch, bound);
    return new Promise((resolve, reject) => {
      this.#connectWatched(watch, (error, client) =>
        client ? resolve(client) : reject(error ?? new Error('the pool returned neither a connection nor an error')),
      );
    });
  }

  #connectWatched(watch: DatabaseWatch, callback: Callback): void {
    if (watch.refusal) return callback(watch.refusal, undefined, ignore);
    let isOver = false;
    const forget = watch.onUnavailable((error) => {
      isOver = true;
      forget();
      callback(error, undefined, ignore);
    });
    super.connect((error, client, release) => {
      forget();
      if (!isOver) callback(error, client, release);
      else client?.release();
    });
  }
}

const ignore = (): void => undefined;
