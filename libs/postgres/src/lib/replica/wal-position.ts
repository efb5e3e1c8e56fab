/**
 * A position in the write-ahead log of a primary, in bytes since its beginning. A standby shows a commit when it has
 * replayed up to the position behind that commit.
 */
export type WalPosition = number;

/** SQL for a position as a number. It stays below 2^53 for the first eight petabytes. */
const asNumber = (lsn: string): string => `(${lsn} - '0/0')::bigint`;

/**
 * SQL for the position behind all commits so far: the end of the log in memory. With `synchronous_commit` off, a commit
 * is answered before it is written (`pg_current_wal_lsn`) or flushed (`pg_current_wal_flush_lsn`).
 */
export const WRITTEN = asNumber('pg_current_wal_insert_lsn()');

/** SQL for the position up to which a standby shows commits. After a promotion it stays at the promotion's position. */
export const REPLAYED = asNumber('pg_last_wal_replay_lsn()');

/** Size of a page of the log, and of the header of each page except the first of a file. */
const PAGE_BYTES = 8_192;
const PAGE_HEADER_BYTES = 24;

/**
 * Converts a position of the primary to the one that a standby reports: the end of the last record. When a record fills
 * its page, the primary reports the position behind the header of the next page. A standby reaches that position only
 * after the next record.
 */
export const endOfLastRecord = (position: WalPosition): WalPosition =>
  position % PAGE_BYTES === PAGE_HEADER_BYTES ? position - PAGE_HEADER_BYTES : position;
