import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the collection of entries about deleted applications. Source: docs/reference/history.md, "Feed". */
export class KeepTombstonesOfApplications1795228000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE history_entries ADD COLUMN collection text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM history_entries WHERE type = 'deleted'`);
    await runner.query('ALTER TABLE history_entries DROP COLUMN collection');
  }
}
