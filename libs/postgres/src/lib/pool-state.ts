import type pg from 'pg';

/** A pool of connections at one moment. */
export interface PoolState {
  /** What it is for: `main`, `reading`, `counting`. */
  readonly pool: string;
  /** Connections that it may have. */
  readonly size: number;
  readonly idle: number;
  readonly busy: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

export const stateOf = (pool: string, { options, totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  pool,
  size: options.max,
  idle: idleCount,
  busy: totalCount - idleCount,
  waiting: waitingCount,
});
