import { ConsumerLimitError } from '../consumer.js';
import { type ReadPool } from '../read-pool.js';
import { type ReadStatement } from '../read-statement.js';
import { type ReplicaServer } from './replica-server.js';

/** A server on which read-only statements run. */
export type Statements = Pick<ReadPool, 'query'>;

/** The servers that a page and its count are read from. */
export interface PageReads {
  readonly reading: Statements;
  readonly counting: Statements;
}

interface ReplicaReadsOptions {
  readonly server: ReplicaServer;
  readonly primary: PageReads;
  /** Aborted when the replica is lost. */
  readonly lost: AbortSignal;
  readonly onFailure: () => void;
}

/**
 * Runs the statements of one request on the replica. After the first failure, it runs the failed statement and all
 * later statements on the primary, because a standby may cancel any statement that conflicts with its replay. There is
 * one exception: a statement that has used all of its time, or that exceeds a limit of its consumer, fails.
 */
export class ReplicaReads implements PageReads {
  readonly reading: Statements = { query: (statement) => this.#run('reading', statement) };
  readonly counting: Statements = { query: (statement) => this.#run('counting', statement) };
  #hasFailed = false;

  constructor(private readonly options: ReplicaReadsOptions) {}

  async #run<Row extends object>(kind: keyof PageReads, statement: ReadStatement): Promise<Row[]> {
    const { server, primary, lost, onFailure } = this.options;
    if (this.#hasFailed) return primary[kind].query(statement);
    const began = performance.now();
    try {
      return await unlessAborted(lost, server[kind].query<Row>(statement));
    } catch (error) {
      if (error instanceof ConsumerLimitError) throw error;
      if (isTimeout(error) && performance.now() - began >= server[kind].statementTimeoutMs) throw error;
      if (!this.#hasFailed) onFailure();
      this.#hasFailed = true;
      return primary[kind].query(statement);
    }
  }
}

/** Rejects as soon as the signal is aborted, without waiting for the work. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('the read replica is unavailable'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** True for PostgreSQL's `query_canceled`: a timeout, a cancellation by an operator, or a conflict with recovery. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === '57014';
