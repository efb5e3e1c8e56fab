import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the last announced status of a posting: dates change the status without a write. Null before the first check.
 */
export class AddPostingKnownStatus1795219700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings ADD COLUMN known_status text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings DROP COLUMN known_status');
  }
}
