/**
 * A position in the write-ahead log of a primary, in bytes from its beginning. A standby shows a commit when it has
 * replayed the log up to the position after the commit.
 */
export type WalPosition = number;

/** SQL for a position as a number. The number is below 2^53 until the log has eight petabytes. */
const asNumber = (lsn: string): string => `(${lsn} - '0/0')::bigint`;

/**
 * SQL for the position after all commits so far: the end of the log in memory. The end of the written log and the end
 * of the flushed log are not enough: with `synchronous_commit` off, a commit is answered before it is written.
 */
export const WRITTEN = asNumber('pg_current_wal_insert_lsn()');

/**
 * SQL for the position up to which a standby shows commits. After a promotion it stays at the position of the
 * promotion.
 */
export const REPLAYED = asNumber('pg_last_wal_replay_lsn()');

/**
 * Size of a page of the log in bytes. `PAGE_HEADER_BYTES` is the size of the header of each page except the first of a
 * file.
 */
const PAGE_BYTES = 8_192;
const PAGE_HEADER_BYTES = 24;

/**
 * Converts a position of the primary to the end of the last record, which is what a standby reports. When a record
 * fills its page, the primary already reports the position after the header of the next page. A standby reaches this
 * position only with the next record.
 */
export const endOfLastRecord = (position: WalPosition): WalPosition =>
  position % PAGE_BYTES === PAGE_HEADER_BYTES ? position - PAGE_HEADER_BYTES : position;
