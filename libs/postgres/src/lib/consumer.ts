import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The client for which statements run. Consumers with the same key share the connections and the database time of that
 * client.
 */
export interface Consumer {
  readonly key: string;
  /**
   * The database time in ms that the client may still use, without the time of running statements. `Infinity` when
   * there is no limit.
   */
  readonly leftMs: number;
  /** The database time in ms that the client may use in one window. */
  readonly budgetMs: number;
  /** True when only one statement of the client may run at a time, because the client uses much database time. */
  readonly isCostly: boolean;
  /** True when the client no longer waits for the answer. Its waiting statements are then dropped. */
  readonly isGone: boolean;
  /**
   * Reports the start of a statement.
   * @returns a function that reports its end
   */
  begin(): (ms: number) => void;
}

/** A limit of a consumer: its share of the connections, or its database time. */
export type ConsumerLimit = 'connections' | 'database_time';

const TEXTS: Readonly<Record<ConsumerLimit, string>> = {
  connections: 'all connections that one client may use stayed busy for too long',
  database_time: 'the client has used its database time',
};

/**
 * The error for a statement that was refused or stopped because of a limit of its consumer. The statements of other
 * consumers are not affected.
 */
export class ConsumerLimitError extends Error {
  readonly code = 'consumer_limit';

  constructor(
    readonly limit: ConsumerLimit,
    options?: ErrorOptions,
  ) {
    super(TEXTS[limit], options);
    this.name = 'ConsumerLimitError';
  }
}

const current = new AsyncLocalStorage<Consumer>();

/**
 * Runs `work`. All statements that `work` starts count for the consumer, including statements that start after an
 * asynchronous step.
 */
export const runFor = <Result>(consumer: Consumer, work: () => Result): Result => current.run(consumer, work);

export const currentConsumer = (): Consumer | undefined => current.getStore();
