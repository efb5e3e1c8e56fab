import { type ReadPool, type ReadStatement } from '../read-pool.js';
import { type ReplicaServer } from './replica-server.js';

/** Where statements run that only read. */
export type Statements = Pick<ReadPool, 'query'>;

/** Where a page and its count are read. */
export interface PageReads {
  readonly reading: Statements;
  readonly counting: Statements;
}

interface ReplicaReadsOptions {
  readonly server: ReplicaServer;
  readonly primary: PageReads;
  /** Fires when the server is found to be gone. */
  readonly lost: AbortSignal;
  readonly onFailure: () => void;
}

/**
 * The statements of one request: on the replica, and from the first one that it does not answer on the primary. A standby may end
 * any statement that is in the way of what it replays, hence whatever went wrong there is tried again; only a statement that
 * has used up its time has had its answer.
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
      if (isTimeout(error) && performance.now() - began >= server[kind].statementTimeoutMs) throw error;
      if (!this.#hasFailed) onFailure();
      this.#hasFailed = true;
      return primary[kind].query(statement);
    }
  }
}

/** Rejects as soon as the signal fires, however long the work goes on. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('the replica is gone'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** PostgreSQL's `query_canceled`: when it took too long, when an operator has ended it, and in some conflicts with recovery. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === '57014';
