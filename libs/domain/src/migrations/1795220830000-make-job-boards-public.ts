import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the property that opens a job board to everyone, without a credential. */
export class MakeJobBoardsPublic1795220830000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_boards ADD COLUMN is_public boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_boards DROP COLUMN is_public');
  }
}
