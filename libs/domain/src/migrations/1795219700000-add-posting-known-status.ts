import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds `known_status`: the status of a posting that clients were last notified of. Opening and closing dates change the
 * status without a write of the row, so the notifier finds such a change only by comparison with this column. Null
 * before the first comparison.
 */
export class AddPostingKnownStatus1795219700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings ADD COLUMN known_status text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings DROP COLUMN known_status');
  }
}
