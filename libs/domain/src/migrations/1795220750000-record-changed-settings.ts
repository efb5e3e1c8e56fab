import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Records which settings of the system were changed by the API, so that `migrate` never overwrites them. The previous
 * release neither reads nor writes the column.
 */
export class RecordChangedSettings1795220750000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE systems ADD COLUMN changed_settings text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE systems DROP COLUMN changed_settings');
  }
}
