import { isDeepStrictEqual } from 'node:util';
import { type Database, prepared } from '@ats/postgres';
import { BEGIN_PLANNED, plannedTransaction } from './planned-transaction.js';

/** Length of a lease in seconds. It is longer than the longest attempt plus the time to store its result. */
export const LEASE_SECONDS = 45;

/**
 * The low-water marks: the values before which a queue has no row.
 *
 * While another transaction stays open, such as that of a backup, PostgreSQL removes neither old row versions nor their
 * index entries. Without a mark, a statement that looks for the few rows of a queue reads the entries of all rows that
 * have been in the queue since that transaction began. With a mark, the statement reads only the entries from the mark
 * on.
 */
export interface Marks {
  /** The mark of `id` for events that are not matched yet. */
  readonly event: number;
  /** The mark of `next_attempt_dt` for due, queued and running deliveries. */
  readonly due: Date;
  /** The mark of `queued_dt` for queued deliveries. */
  readonly queued: Date;
  /** The mark of `lease_until_dt` for running deliveries. */
  readonly lease: Date;
}

/** Marks that exclude no row. */
export const NO_MARKS: Marks = { event: 0, due: new Date(0), queued: new Date(0), lease: new Date(0) };

const READ_AFTER_MS = 1_000;
const MAX_SAMPLES = 100;
/**
 * Pause after a full read, which uses no marks, as a multiple of the duration of the read. So full reads take at most
 * 2 % of the time.
 */
const SHARE_OF_FULL_READS = 50;
/**
 * Shortest age in ms of a sample that limits the marks. It is long enough for a process that stops for a moment between
 * taking an id and writing its row.
 */
const MARGIN_MS = 5_000;

/**
 * SQL that reads the first row of each status from the marks on: $1 of events, $2 of due times, $3 of queue times and $4
 * of leases. A queued or running delivery may become due again with its old due time. So `due` is never later than the
 * due time of such a delivery.
 */
const READ = prepared(`
SELECT now() - interval '1 second' AS at, (SELECT COALESCE(max(id), 0) FROM domain_events) AS newest,
  pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_running, pg_snapshot_xmax(pg_current_snapshot())::text AS next,
  (SELECT id FROM domain_events WHERE status = 'new' AND id >= $1 ORDER BY id LIMIT 1) AS event,
  LEAST(
    (SELECT next_attempt_dt FROM notification_deliveries
     WHERE status = 'due' AND next_attempt_dt >= $2 ORDER BY next_attempt_dt LIMIT 1),
    (SELECT min(next_attempt_dt) FROM notification_deliveries WHERE status = 'queued' AND queued_dt >= $3),
    (SELECT min(next_attempt_dt) FROM notification_deliveries WHERE status = 'sending' AND lease_until_dt >= $4)) AS due,
  (SELECT queued_dt FROM notification_deliveries
   WHERE status = 'queued' AND queued_dt >= $3 ORDER BY queued_dt LIMIT 1) AS queued,
  (SELECT lease_until_dt FROM notification_deliveries
   WHERE status = 'sending' AND lease_until_dt >= $4 ORDER BY lease_until_dt LIMIT 1) AS lease`);

/** The state of the database at the time of a read. */
interface Sample {
  /** The time of the server at the read, minus a second. */
  readonly at: Date;
  /** The id of the newest event. */
  readonly newest: number;
  /** The id that the next transaction gets. */
  readonly next: string;
}

interface ReadRow extends Sample {
  /** The id of the oldest transaction that is running and may have written. */
  readonly oldest_running: string;
  readonly event: number | null;
  readonly due: Date | null;
  readonly queued: Date | null;
  readonly lease: Date | null;
}

/** Keeps the low-water marks of one process. An old mark is too low, which costs time but hides no row. */
export class LowWaterMarks {
  private marks = NO_MARKS;
  private samples: readonly (Sample & { readonly readAt: number })[] = [];
  private readAfter = 0;
  private readAllAfter = 0;

  /** @param now  the time in ms of a clock that never goes back */
  constructor(
    private readonly database: Database,
    private readonly now = (): number => performance.now(),
  ) {}

  get current(): Marks {
    return this.marks;
  }

  /** Returns the marks, and reads them anew when they are older than a second. */
  async refreshed(): Promise<Marks> {
    if (this.now() < this.readAfter) return this.marks;
    this.readAfter = this.now() + READ_AFTER_MS;
    const since = this.marks;
    const row = await this.read(since);
    this.samples = [...this.samples.slice(-MAX_SAMPLES), { ...row, readAt: this.now() }];
    const { event, due, queued, lease } = row;
    const bound = this.boundFor(row.oldest_running);
    // Leaves the marks unchanged when a full read has lowered them meanwhile. The next read then begins at the lowered
    // marks.
    if (bound && this.marks === since)
      this.marks = {
        event: Math.min(bound.newest, event ?? Infinity),
        due: earlier(bound.at, due),
        queued: earlier(bound.at, queued),
        lease: earlier(new Date(bound.at.getTime() + LEASE_SECONDS * 1_000), lease),
      };
    if (this.now() >= this.readAllAfter) void this.readAll();
    return this.marks;
  }

  /**
   * Returns the newest sample for which all transactions that were running at the time of the sample have ended.
   * Transactions that began later write greater ids and later times than those in the sample. Deletes older samples.
   */
  private boundFor(oldestRunning: string): Sample | undefined {
    const latest = this.now() - MARGIN_MS;
    const index = this.samples.findLastIndex(
      ({ next, readAt }) => BigInt(next) <= BigInt(oldestRunning) && readAt <= latest,
    );
    if (index > 0) this.samples = this.samples.slice(index);
    return index < 0 ? undefined : this.samples[0];
  }

  /**
   * Reads the first rows of the queues without marks. Lowers the marks when a row is before them, for example after a
   * failover to a server with another clock. Nobody waits for this read, which may take long.
   */
  private async readAll(): Promise<void> {
    this.readAllAfter = Infinity;
    const startedAt = this.now();
    try {
      const found = await this.read(NO_MARKS);
      const { event, due, queued, lease } = this.marks;
      const lowest = {
        event: Math.min(event, found.event ?? Infinity),
        due: earlier(due, found.due),
        queued: earlier(queued, found.queued),
        lease: earlier(lease, found.lease),
      };
      if (!isDeepStrictEqual(lowest, this.marks)) this.marks = lowest;
    } catch {
      // The statement may have timed out. The marks stay as they are, and a later read looks again.
    }
    this.readAllAfter = this.now() + (this.now() - startedAt) * SHARE_OF_FULL_READS;
  }

  private async read(since: Marks): Promise<ReadRow> {
    const values = [since.event, since.due, since.queued, since.lease];
    const { rows } = await plannedTransaction(this.database, BEGIN_PLANNED, (client) =>
      client.query<ReadRow>({ ...READ, values }),
    );
    const [row] = rows;
    if (!row) throw new Error('the query of the low-water marks returned no row');
    return row;
  }
}

const earlier = (a: Date, b: Date | null): Date => (b && b < a ? b : a);
