/**
 * SQL of a text that names what the statement it stands in can see. Two statements with the same text see the same rows:
 * between them no transaction that changes anything has ended, in any database of the server.
 *
 * A snapshot is told by the numbers of the transactions that have ended. Numbers are given again where the server is
 * replaced by one that has not seen the last of them (a standby takes over, a backup is restored), hence the moment at
 * which the server was started. A standby does not tell the transactions in progress: this holds on a primary.
 * What a statement reads from the clock is another matter: see `readsClock`.
 */
export const SNAPSHOT = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_current_snapshot())`;

/** Everything by which SQL tells the time, and `system_today`, our own. */
const CLOCKS = [
  'now|transaction_timestamp|statement_timestamp|clock_timestamp|timeofday|system_today|age',
  'current_date|current_time|current_timestamp|localtime|localtimestamp',
];
const READS_CLOCK = new RegExp(`\\b(?:(?:${CLOCKS[0]})\\s*\\(|(?:${CLOCKS[1]})\\b)`, 'i');

/** Whether the answer of a statement can change without anything being written. */
export const readsClock = (text: string): boolean => READS_CLOCK.test(text);
