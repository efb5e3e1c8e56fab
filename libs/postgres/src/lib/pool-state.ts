import type pg from 'pg';

/** The state of a pool of connections at one moment. */
export interface PoolState {
  /** Name of the pool: `main`, `reading`, `counting`, `exporting`, or the name of a dedicated connection. */
  readonly pool: string;
  /** Maximum number of connections. */
  readonly size: number;
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

export const stateOf = (pool: string, { options, totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  pool,
  size: options.max,
  idle: idleCount,
  busy: totalCount - idleCount,
  waiting: waitingCount,
});
