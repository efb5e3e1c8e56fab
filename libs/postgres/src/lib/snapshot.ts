/**
 * SQL for a text that identifies the database snapshot of its statement. Two statements with the same text see the same
 * rows: no writing transaction has ended between them, in any database of the server.
 *
 * The text has the transaction numbers of the snapshot and the start time of the server. The numbers alone are not
 * enough, because a promoted standby or a restored backup may use the same numbers again.
 *
 * The expression works only on a primary, because a standby does not show running transactions. Values that a statement
 * reads from the clock are not part of the snapshot, see `readsClock`.
 */
export const SNAPSHOT = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_current_snapshot())`;

/** All functions and keywords with which SQL reads the clock. `system_today` is a function of this service. */
const CLOCKS = [
  'now|transaction_timestamp|statement_timestamp|clock_timestamp|timeofday|system_today|age',
  'current_date|current_time|current_timestamp|localtime|localtimestamp',
];
const READS_CLOCK = new RegExp(`\\b(?:(?:${CLOCKS[0]})\\s*\\(|(?:${CLOCKS[1]})\\b)`, 'i');

/** True when a statement reads the clock. Its answer can then change although no row changes. */
export const readsClock = (text: string): boolean => READS_CLOCK.test(text);
