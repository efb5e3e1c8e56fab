import { type Logger } from '@ats/logging';

/** A row whose job may be lost. */
export interface QueuedRow {
  /** Milliseconds since its job was queued. */
  readonly queuedMs: number;
}

/**
 * The SQL for one table whose rows are processed by jobs. Both `requeue` methods return how many rows are due again.
 */
export interface SweptTable<Row extends QueuedRow> {
  /** Requeues rows whose lease has expired or whose worker is gone. */
  requeueExpired(): Promise<number>;
  /** Finds rows that have been queued long enough to check their jobs. */
  findQueued(): Promise<readonly Row[]>;
  requeueLost(rows: readonly Row[]): Promise<number>;
}

export interface SweepOptions<Row extends QueuedRow> {
  readonly isLost: (row: Row, queuedMs: number) => Promise<boolean>;
  /** After this time in the queue, a job counts as lost even when Bull still holds it. */
  readonly maxQueuedMs: number;
  readonly logger: Logger;
  /** Name of the rows in log lines. */
  readonly rowName: 'deliveries' | 'e-mails';
  /** Called when at least one row is due again. */
  readonly onDue: () => void;
}

/** How many rows were requeued, by cause: an expired lease or a lost job. */
export interface RequeuedRows {
  readonly lease: number;
  readonly job: number;
}

/** A job is checked after this time at the earliest: before, Redis may not have stored it yet. */
export const CHECK_AFTER_MS = 1_000;
export const SWEEP_BATCH_SIZE = 500;

/** Requeues orphaned rows: rows of a dead worker, and rows whose job Redis has lost. */
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
    logger.warn({ expired: lease, lost: job }, `requeued ${rowName} with expired lease or lost job`);
    onDue();
  }
  return { lease, job };
}

/**
 * SQL condition for rows whose job can be checked. The time grows fourfold with each requeue of the row, so that a job
 * runs in the end even when claims are slow.
 * @param columns  prefix of the columns, such as `m.`, or an empty text
 * @param after    milliseconds until the first check, as SQL
 * @param max      milliseconds until the last check, as SQL
 */
export const checkableJobCondition = (columns: string, after: string, max: string): string =>
  `${columns}status = 'queued' AND ${columns}queued_dt < clock_timestamp()
    - LEAST(${after} * power(4, LEAST(${columns}requeues, 10)), ${max}) * interval '1 millisecond'`;
