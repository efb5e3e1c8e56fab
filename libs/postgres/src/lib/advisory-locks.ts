/**
 * All advisory locks of the service. The locks of a database share one number space, so each number is defined here. A
 * released number must never get another meaning, because two releases run side by side during a deployment.
 * Source: docs/reference/database.md, "Advisory locks".
 */
export const ADVISORY_LOCKS = {
  /** The first of two keys. The second key is the number of a worker, which holds the lock while it is alive. */
  workerHeartbeat: 4_711,
  /** Writes that change topics or subscriptions hold this lock exclusively. Matching holds it in share mode. */
  topicIndex: 4_711_001,
  /**
   * Held by a transaction that picks due deliveries, so that only one notifier picks at a time. A transaction that
   * claims followers holds it in share mode.
   */
  duePoller: 4_711_002,
  /** Held by a transaction that requeues deliveries with expired leases. */
  sweeper: 4_711_003,
  /** Held by a transaction that creates or drops partitions of the delivery log or of the audit log. */
  partitions: 4_711_004,
  /** Held by a statement that publishes changes, so that positions become visible in order. */
  changes: 4_711_006,
  /** Held by a transaction that reconciles deliveries with topics. */
  reconciler: 4_711_005,
  /** Held in share mode by a transaction that adds history entries, until its commit, see `highWaterMark`. */
  history: 4_711_011,
  /** Held in share mode by a transaction that adds events, until its commit, see `highWaterMark`. */
  events: 4_711_012,
  /** Held by a transaction that creates or revokes credentials. */
  credentials: 4_711_013,
  /**
   * The first of two keys. Held in share mode by a process that cannot report the writes of its clients to the other
   * processes, see `UnreportedWrites`.
   */
  unreportedWrites: 4_711_020,
  /**
   * The first of two keys. The second key is the id of a subscription. Held by a transaction that claims followers of
   * this subscription.
   */
  followers: 4_711_021,
  /** Held by the process that migrates the database. */
  migrating: 4_711_022,
  /**
   * The first of two keys. The second key is the id of a credential. Held by a transaction that adds a resumable upload
   * of this credential.
   */
  uploads: 4_711_023,
  /** Held by the spec file that creates the template database of a test run. */
  testTemplate: 4_711_999,
} as const;
