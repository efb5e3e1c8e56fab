import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The status that subscribers know of: the dates change it without a write. Null: not looked at yet. */
export class AddPostingKnownStatus1795219700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings ADD COLUMN known_status text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE postings DROP COLUMN known_status');
  }
}
