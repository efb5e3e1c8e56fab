import { type Instruments } from './instruments.js';

/** The state of one connection pool. */
export interface PoolState {
  /** The name of the pool, such as `main` or `reading`. */
  readonly pool: string;
  /** The maximum number of connections in the pool. */
  readonly size: number;
  /** The number of idle connections. */
  readonly idle: number;
  /** The number of connections in use. */
  readonly busy: number;
  /** The number of statements that wait for a connection. */
  readonly waiting: number;
}

/**
 * Adds the gauges of connection pools.
 * @param read  returns the current state of the process's pools
 */
export function addPoolGauges(instruments: Instruments, read: () => readonly PoolState[]): void {
  const pools = (toValue: (state: PoolState) => number) => () =>
    read().map((state) => ({ labels: { pool: state.pool }, value: toValue(state) }));
  instruments.observedGauge({
    name: 'postgres_connections',
    help: 'Connections of this process to PostgreSQL',
    labelNames: ['pool', 'state'],
    read: () =>
      read().flatMap(({ pool, idle, busy }) => [
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'busy' }, value: busy },
      ]),
  });
  instruments.observedGauge({
    name: 'postgres_connections_max',
    help: 'Connections that this process may have',
    labelNames: ['pool'],
    read: pools(({ size }) => size),
  });
  instruments.observedGauge({
    name: 'postgres_waiting',
    help: 'Statements of this process that wait for a connection',
    labelNames: ['pool'],
    read: pools(({ waiting }) => waiting),
  });
}
