import { type Instruments } from './instruments.js';

/** A pool of connections at one moment. */
export interface PoolState {
  /** `main`, `reading` and so on. */
  readonly pool: string;
  /** Connections that it may have. */
  readonly size: number;
  readonly idle: number;
  readonly busy: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** @param read  the pools of this process as they are now */
export function addPoolGauges(instruments: Instruments, read: () => readonly PoolState[]): void {
  const pools = (toValue: (state: PoolState) => number) => () =>
    read().map((state) => ({ labels: { pool: state.pool }, value: toValue(state) }));
  instruments.seen({
    name: 'postgres_connections',
    help: 'Connections of this process to PostgreSQL',
    labelNames: ['pool', 'state'],
    read: () =>
      read().flatMap(({ pool, idle, busy }) => [
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'busy' }, value: busy },
      ]),
  });
  instruments.seen({
    name: 'postgres_connections_max',
    help: 'Connections that this process may have',
    labelNames: ['pool'],
    read: pools(({ size }) => size),
  });
  instruments.seen({
    name: 'postgres_waiting',
    help: 'Statements of this process that wait for a connection',
    labelNames: ['pool'],
    read: pools(({ waiting }) => waiting),
  });
}
