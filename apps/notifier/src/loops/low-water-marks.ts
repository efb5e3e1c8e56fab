import { type Database } from '@ats/postgres';

/** Length of a lease in seconds. It is longer than the longest attempt plus the time to store its result. */
export const LEASE_SECONDS = 45;

/**
 * The low-water marks: the values before which a queue has no row. Times are SQL texts.
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
  readonly due: string;
  /** The mark of `queued_dt` for queued deliveries. */
  readonly queued: string;
  /** The mark of `lease_until_dt` for running deliveries. */
  readonly lease: string;
}

/** Marks that exclude no row. */
export const NO_MARKS: Marks = { event: 0, due: '-infinity', queued: '-infinity', lease: '-infinity' };

const READ_AFTER_MS = 1_000;
/** A full read ignores the marks. The pause until the next full read is this many times as long as the read. */
const SHARE_OF_FULL_READS = 50;
/**
 * A transaction may commit a row some seconds after it has set the id and the times of the row. So the marks stay
 * `MARGIN_MS` behind the newest events and the clock, and each read begins `LOOK_BACK_MS` before the current marks.
 */
const MARGIN_MS = 5_000;
const LOOK_BACK_MS = 60_000;

/**
 * SQL that reads new marks. A queued or running delivery keeps its due time, and may become due again with this time.
 * So the mark of due times is never later than the due time of such a delivery.
 *
 * Parameters: $1 the id from which the statement reads events; $2 the maximum of the mark of events; $3, $4 and $5 the
 * current marks of due times, queue times and leases.
 */
const READ = `
WITH since AS (
  SELECT $3::timestamptz - interval '${LOOK_BACK_MS} milliseconds' AS due,
    $4::timestamptz - interval '${LOOK_BACK_MS} milliseconds' AS queued,
    $5::timestamptz - interval '${LOOK_BACK_MS} milliseconds' AS lease
)
SELECT
  LEAST($2::bigint, (SELECT id FROM domain_events WHERE status = 'new' AND id >= $1 ORDER BY id LIMIT 1)) AS event,
  (SELECT COALESCE(max(id), 0) FROM domain_events) AS newest,
  LEAST(now() - interval '${MARGIN_MS} milliseconds',
    (SELECT next_attempt_dt FROM notification_deliveries
     WHERE status = 'due' AND next_attempt_dt >= (SELECT due FROM since) ORDER BY next_attempt_dt LIMIT 1),
    (SELECT min(next_attempt_dt) FROM notification_deliveries
     WHERE status = 'queued' AND queued_dt >= (SELECT queued FROM since)),
    (SELECT min(next_attempt_dt) FROM notification_deliveries
     WHERE status = 'sending' AND lease_until_dt >= (SELECT lease FROM since)))::text AS due,
  LEAST(now() - interval '${MARGIN_MS} milliseconds',
    (SELECT queued_dt FROM notification_deliveries
     WHERE status = 'queued' AND queued_dt >= (SELECT queued FROM since) ORDER BY queued_dt LIMIT 1))::text AS queued,
  LEAST(now() + interval '${LEASE_SECONDS * 1_000 - MARGIN_MS} milliseconds',
    (SELECT lease_until_dt FROM notification_deliveries
     WHERE status = 'sending' AND lease_until_dt >= (SELECT lease FROM since)
     ORDER BY lease_until_dt LIMIT 1))::text AS lease`;

/** The id of the newest event at a point in time. */
interface Sample {
  readonly at: number;
  readonly newest: number;
}

/** Reads the low-water marks for one process. An old mark is too early: it costs time, but it hides no row. */
export class LowWaterMarks {
  private marks = NO_MARKS;
  private samples: Sample[] = [];
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

  /** Returns the marks. Reads them again when they are older than a second. */
  async refreshed(): Promise<Marks> {
    const startedAt = this.now();
    if (startedAt < this.readAfter) return this.marks;
    this.readAfter = startedAt + READ_AFTER_MS;
    const isAll = startedAt >= this.readAllAfter;
    const since = isAll ? NO_MARKS : { ...this.marks, event: this.newestBefore(startedAt - LOOK_BACK_MS) };
    const [row] = await this.database.query<Marks & { readonly newest: number }>(READ, [
      since.event,
      this.newestBefore(startedAt - MARGIN_MS),
      since.due,
      since.queued,
      since.lease,
    ]);
    if (!row) return this.marks;
    const { newest, ...marks } = row;
    this.marks = marks;
    this.samples = [
      ...this.samples.filter(({ at }) => at >= startedAt - LOOK_BACK_MS - 2 * READ_AFTER_MS),
      { at: startedAt, newest },
    ];
    const endedAt = this.now();
    this.readAfter = endedAt + READ_AFTER_MS;
    if (isAll) this.readAllAfter = endedAt + (endedAt - startedAt) * SHARE_OF_FULL_READS;
    return this.marks;
  }

  /** Returns the id of the newest event at this time, or the id of an earlier event. Returns 0 when no id is known. */
  private newestBefore(time: number): number {
    return this.samples.findLast(({ at }) => at <= time)?.newest ?? 0;
  }
}
