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

/**
 * Maximum number of transaction numbers between two snapshots that `endedBetween` compares. A longer list would take
 * long to check.
 */
const MAX_ENDED = 1_000;

/** The parts of a text that `SNAPSHOT` has returned. */
interface Snapshot {
  readonly serverStart: string;
  /** The lowest transaction number that was not assigned yet. */
  readonly end: number;
  /** The numbers below `end` of the transactions that were still running. */
  readonly running: ReadonlySet<number>;
}

/**
 * Returns the numbers of the transactions that had ended in one of two snapshots (see `SNAPSHOT`) but not in the other.
 * When none of them has changed a table, both snapshots see the same rows of this table.
 * @returns undefined when the snapshots cannot be compared, or too many transactions have ended
 */
export function endedBetween(one: string, other: string): readonly number[] | undefined {
  const snapshots = [parseSnapshot(one), parseSnapshot(other)] as const;
  const [first, second] = snapshots;
  const begin = Math.min(first.end, second.end);
  const further = Math.max(first.end, second.end) - begin;
  if (first.serverStart !== second.serverStart || !(further <= MAX_ENDED)) return undefined;
  const numbers = new Set([...first.running, ...second.running]);
  for (let index = 0; index < further; index++) numbers.add(begin + index);
  return [...numbers].filter((number) => hasEnded(first, number) !== hasEnded(second, number));
}

function parseSnapshot(text: string): Snapshot {
  const [serverStart = '', numbers = ''] = text.split(' ');
  const [, end, running = ''] = numbers.split(':');
  return { serverStart, end: Number(end), running: new Set(running.split(',').filter(Boolean).map(Number)) };
}

const hasEnded = ({ end, running }: Snapshot, number: number): boolean => number < end && !running.has(number);

/** All functions and keywords with which SQL reads the clock. `system_today` is a function of this service. */
const CLOCKS = [
  'now|transaction_timestamp|statement_timestamp|clock_timestamp|timeofday|system_today|age',
  'current_date|current_time|current_timestamp|localtime|localtimestamp',
];
const READS_CLOCK = new RegExp(`\\b(?:(?:${CLOCKS[0]})\\s*\\(|(?:${CLOCKS[1]})\\b)`, 'i');

/** True when a statement reads the clock. Its answer can then change although no row changes. */
export const readsClock = (text: string): boolean => READS_CLOCK.test(text);
