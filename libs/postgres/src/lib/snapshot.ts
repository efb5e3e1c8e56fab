/**
 * SQL expression for a text that identifies the snapshot of its statement. Two statements with the same text see the
 * same rows: between them no writing transaction has ended, in any database of the server.
 *
 * The text contains the transaction numbers of the snapshot and the start time of the server. A promoted standby or a
 * restored backup may give the same numbers again, so the numbers alone are not enough.
 *
 * The expression works on a primary only, because a standby does not show the transactions in progress. Values that a
 * statement reads from the clock are not part of the snapshot: see `readsClock`.
 */
export const SNAPSHOT = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_current_snapshot())`;

/** Every function and keyword by which SQL reads the clock. `system_today` is a function of this service. */
const CLOCKS = [
  'now|transaction_timestamp|statement_timestamp|clock_timestamp|timeofday|system_today|age',
  'current_date|current_time|current_timestamp|localtime|localtimestamp',
];
const READS_CLOCK = new RegExp(`\\b(?:(?:${CLOCKS[0]})\\s*\\(|(?:${CLOCKS[1]})\\b)`, 'i');

/** True when a statement reads the clock, so that its answer can change although no row changes. */
export const readsClock = (text: string): boolean => READS_CLOCK.test(text);
