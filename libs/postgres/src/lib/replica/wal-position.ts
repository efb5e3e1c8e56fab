/**
 * How far the write-ahead log of a primary had come: bytes since its beginning. What is committed can be seen on a standby
 * that has replayed to the position after the commit.
 */
export type WalPosition = number;

/** SQL of a position as a number: it stays below 2^53 for the first eight petabytes. */
const asNumber = (lsn: string): string => `(${lsn} - '0/0')::bigint`;

/**
 * SQL of the position behind all that is committed when it is read. Where the log ends in memory, for with `synchronous_commit`
 * off a commit is answered before it is written (`pg_current_wal_lsn`) or flushed (`pg_current_wal_flush_lsn`).
 */
export const WRITTEN = asNumber('pg_current_wal_insert_lsn()');

/** SQL of the position up to which a standby shows what was committed; that of its promotion once it is promoted. */
export const REPLAYED = asNumber('pg_last_wal_replay_lsn()');

/** Of a page of the log, and of what each begins with but the first of a file. */
const PAGE_BYTES = 8_192;
const PAGE_HEADER_BYTES = 24;

/**
 * The position as a standby tells it: where the last record ends. After one that fills a page the primary names the place of
 * the next, behind the header of the next page, which a standby does not reach before something more is written.
 */
export const endOfLastRecord = (position: WalPosition): WalPosition =>
  position % PAGE_BYTES === PAGE_HEADER_BYTES ? position - PAGE_HEADER_BYTES : position;
