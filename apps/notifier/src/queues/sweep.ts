import { type Logger } from '@ats/logging';

/** A row whose job may be lost. */
export interface QueuedRow {
  /** Milliseconds since the job of the row was queued. */
  readonly queuedMs: number;
}

/**
 * Finds and requeues the orphaned rows of one table: rows whose lease has expired, and rows whose job is lost. Both
 * `requeue` methods return the number of rows that they made due again.
 */
export interface SweptTable<Row extends QueuedRow> {
  /** Requeues rows whose lease has expired or whose worker has died. */
  requeueExpired(): Promise<number>;
  /** Finds rows that have been queued for long enough to check their jobs. */
  findQueued(): Promise<readonly Row[]>;
  requeueLost(rows: readonly Row[]): Promise<number>;
}

export interface SweepOptions<Row extends QueuedRow> {
  readonly isLost: (row: Row, queuedMs: number) => Promise<boolean>;
  /** A job that has been in the queue for longer than this counts as lost, even when Bull still has it. */
  readonly maxQueuedMs: number;
  readonly logger: Logger;
  /** The name of the swept rows in log lines. */
  readonly rowName: 'deliveries' | 'e-mails';
  /** Called when at least one row is due again. */
  readonly onDue: () => void;
}

/** The number of requeued rows, by cause: an expired lease or a lost job. */
export interface RequeuedRows {
  readonly lease: number;
  readonly job: number;
}

/** Minimum age in ms at which a job is checked. Redis may not have stored a younger job yet. */
export const CHECK_AFTER_MS = 1_000;
export const SWEEP_BATCH_SIZE = 500;

/** Requeues orphaned rows: rows of dead workers, and rows whose job Redis has lost. */
export async function sweep<Row extends QueuedRow>(
  table: SweptTable<Row>,
  { isLost, maxQueuedMs, logger, rowName, onDue }: SweepOptions<Row>,
): Promise<RequeuedRows> {
  const lease = await table.requeueExpired();
  const queued = await table.findQueued();
  const verdicts = await Promise.all(
    queued.map(async (row) => row.queuedMs > maxQueuedMs || (await isLost(row, row.queuedMs))),
  );
  const lost = queued.filter((_, index) => verdicts[index]);
  const job = lost.length === 0 ? 0 : await table.requeueLost(lost);
  if (lease + job > 0) {
    logger.warn({ expired: lease, lost: job }, `requeued ${rowName} whose lease expired or whose job was lost`);
    onDue();
  }
  return { lease, job };
}

/**
 * SQL condition that is true for rows whose job can be checked. The time until the first check grows fourfold with each
 * requeue of the row, so that its job runs in the end, even when claims are slow.
 * @param columns  prefix of the columns, such as `m.`, or an empty text
 * @param after  milliseconds until the first check of a row without requeues, as SQL
 * @param max  greatest number of milliseconds until the first check, as SQL
 */
export const checkableJobCondition = (columns: string, after: string, max: string): string =>
  `${columns}status = 'queued' AND ${columns}queued_dt < clock_timestamp()
    - LEAST(${after} * power(4, LEAST(${columns}requeues, 10)), ${max}) * interval '1 millisecond'`;
