import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The indexes that `BuildMovedDeliveriesIndexes` has built. */
const BUILT = `
SELECT x.indexrelid::regclass::text AS index FROM pg_inherits i
JOIN pg_index x ON x.indrelid = i.inhrelid AND x.indexrelid::regclass::text = 'ix_' || i.inhrelid::regclass || '_moved'
WHERE i.inhparent = 'notification_deliveries'::regclass`;

/** Attaches the indexes of the existing partitions, so that the index of `AddMovedDeliveriesIndex` becomes valid. */
export class AttachMovedDeliveriesIndexes1795240000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { index } of (await runner.query(BUILT)) as readonly { index: string }[])
      await runner.query(`ALTER INDEX ix_notification_deliveries_moved ATTACH PARTITION ${index}`);
  }

  /**
   * Does nothing, because an attached index cannot be detached. The first of the three migrations drops it together
   * with the index of the whole table.
   */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
