/**
 * Every advisory lock of the service. All share one space of numbers in a database, so each number is given once, here.
 * A released number never gets another meaning: two releases run side by side during a deployment.
 */
export const ADVISORY_LOCKS = {
  /** A write that changes topics or subscriptions holds it exclusively; matching holds it in share. */
  topicIndex: 4_711_001,
  /** The notifier process that queues due deliveries holds it, so that one process does it at a time. */
  feeding: 4_711_002,
  /** The notifier process that requeues orphaned deliveries holds it. */
  sweeping: 4_711_003,
  /** A transaction that creates or drops partitions of the delivery log holds it. */
  partitions: 4_711_004,
  /** The notifier process that reconciles deliveries with topics holds it. */
  reconciling: 4_711_005,
  /** A transaction that adds history entries holds it in share until its commit; see `highWaterMark`. */
  history: 4_711_011,
  /** A transaction that adds events holds it in share until its commit; see `highWaterMark`. */
  events: 4_711_012,
  /** First key of two. A process that cannot report what its clients wrote holds it in share: see `UnreportedWrites`. */
  unreportedWrites: 4_711_020,
  /** The process that migrates the database holds it. */
  migrating: 4_711_022,
  /** The spec file that creates the template database of a test run holds it. */
  testTemplate: 4_711_999,
} as const;
