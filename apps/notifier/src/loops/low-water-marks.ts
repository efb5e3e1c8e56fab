import { type Database } from '@ats/postgres';

/** Length of a lease in seconds. It is longer than the longest attempt plus the time to store its result. */
export const LEASE_SECONDS = 45;

/**
 * The values before which there are no rows of a state. Times are SQL texts.
 *
 * While another transaction stays open, for example that of a backup, PostgreSQL keeps the old versions of all rows, and
 * their index entries. A statement that looks for the few rows of a state then reads the entries of all rows that have
 * had this state since the transaction began. With a low-water mark it reads only the entries from the mark on.
 */
export interface Marks {
  /** For `id` of events that are not matched yet. */
  readonly event: number;
  /** For `next_attempt_dt` of deliveries that are due, queued or being sent. */
  readonly due: string;
  /** For `queued_dt` of queued deliveries. */
  readonly queued: string;
  /** For `lease_until_dt` of deliveries that are being sent. */
  readonly lease: string;
}

/** Marks that leave out nothing. */
export const NO_MARKS: Marks = { event: 0, due: '-infinity', queued: '-infinity', lease: '-infinity' };

const READ_AFTER_MS = 1_000;
/** Reads without marks take at most one part in this number of the time. */
const SHARE_OF_FULL_READS = 50;
/**
 * A transaction may commit its rows some seconds after it has given them ids and times. So the marks stay behind the
 * newest events and the clock by `MARGIN_MS`, and each read begins `LOOK_BACK_MS` before the marks.
 */
const MARGIN_MS = 5_000;
const LOOK_BACK_MS = 60_000;

/**
 * SQL that reads new marks. A delivery that is queued or being sent keeps its due time, and may become due again with
 * it. So the mark of due times is not after theirs.
 *
 * Parameters: $1 the id from which events are read, and $2 the highest mark of events; the current marks of $3 due
 * times, $4 queue times and $5 leases.
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

/** The newest event at a time. */
interface Sample {
  readonly at: number;
  readonly newest: number;
}

/** Keeps the low-water marks of one process. Marks of the past are too early, which costs time but hides no row. */
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

  /** Returns the marks, and reads them anew when they are older than a second. */
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

  /** Returns the id of the newest event at a time, or of an earlier one. Returns 0 when none is known. */
  private newestBefore(time: number): number {
    return this.samples.findLast(({ at }) => at <= time)?.newest ?? 0;
  }
}
