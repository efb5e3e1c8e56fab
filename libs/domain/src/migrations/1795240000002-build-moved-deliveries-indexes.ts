import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The partitions that have no attached index of this name yet. */
const PARTITIONS = `
SELECT i.inhrelid::regclass::text AS partition FROM pg_inherits i
WHERE i.inhparent = 'notification_deliveries'::regclass AND NOT EXISTS (
  SELECT FROM pg_inherits attached JOIN pg_index x ON x.indexrelid = attached.inhrelid
  WHERE attached.inhparent = 'ix_notification_deliveries_moved'::regclass AND x.indrelid = i.inhrelid)`;

/** Builds the indexes of `AddMovedDeliveriesIndex` for the existing partitions. */
export class BuildMovedDeliveriesIndexes1795240000002 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { partition } of (await runner.query(PARTITIONS)) as readonly { partition: string }[]) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${partition}_moved`);
      await runner.query(`CREATE INDEX CONCURRENTLY ix_${partition}_moved ON ${partition}
        (subscription_id, subject_id, id) WHERE status = 'due' AND next_attempt_dt > created_dt`);
    }
  }

  /** Leaves the indexes in place: the next step back drops them with the index of the whole table. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
