/**
 * Every advisory lock of the service. All locks of a database share one number space, so each number is defined here.
 * A released number never gets another meaning: two releases run side by side during a deployment.
 * Source: docs/reference/database.md, "Advisory locks".
 */
export const ADVISORY_LOCKS = {
  /** First of two keys. A worker holds the lock while it is alive; the second key is the number of the worker. */
  workerHeartbeat: 4_711,
  /** A write that changes topics or subscriptions holds this lock exclusively. Matching holds it in share mode. */
  topicIndex: 4_711_001,
  /**
   * A transaction that picks due deliveries holds this lock, so that one notifier picks at a time. A transaction that
   * claims the followers of deliveries holds it in share mode.
   */
  duePoller: 4_711_002,
  /** A transaction that requeues deliveries with expired leases holds this lock. */
  sweeper: 4_711_003,
  /** A transaction that creates or drops partitions of the delivery log or of the audit log holds this lock. */
  partitions: 4_711_004,
  /** A statement that publishes changes holds this lock, so that positions become visible in their order. */
  changes: 4_711_006,
  /** A transaction that reconciles deliveries with topics holds this lock. */
  reconciler: 4_711_005,
  /** A transaction that adds history entries holds this lock in share mode until its commit; see `highWaterMark`. */
  history: 4_711_011,
  /** A transaction that adds events holds this lock in share mode until its commit; see `highWaterMark`. */
  events: 4_711_012,
  /** A transaction that creates or revokes credentials holds this lock. */
  credentials: 4_711_013,
  /**
   * First of two keys. A process that cannot report its clients' writes holds the lock in share mode, see
   * `UnreportedWrites`.
   */
  unreportedWrites: 4_711_020,
  /** First of two keys. A transaction that claims followers of a subscription holds the lock; the second is its id. */
  followers: 4_711_021,
  /** The process that migrates the database holds this lock. */
  migrating: 4_711_022,
  /** The spec file that creates the template database of a test run holds this lock. */
  testTemplate: 4_711_999,
} as const;
