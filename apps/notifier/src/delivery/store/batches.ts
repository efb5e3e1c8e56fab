/**
 * The options of batches of database work. Only one batch runs at a time. Under load, the next batch grows meanwhile,
 * so that more items share the cost of a statement.
 */
export const BATCHES = { maxItems: 200, parallel: 1, isCausedByItem } as const;

/**
 * Returns the first and the last time of the events of a batch. They limit a statement to the partitions of these days.
 */
export const boundsOf = (times: readonly number[]): readonly [first: Date, last: Date] =>
  times.length === 0 ? [new Date(0), new Date(0)] : [new Date(Math.min(...times)), new Date(Math.max(...times))];

/**
 * Returns true for error classes (SQLSTATE) that a single row can cause. Other errors come from the connection or the
 * server.
 */
function isCausedByItem(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(2|4|54|57014|P0|XX)/.test(code);
}
