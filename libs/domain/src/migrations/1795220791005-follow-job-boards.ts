import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Records changes of the table for the changes feed. */
export class FollowJobBoards1795220791005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('job_boards', 'job_boards')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('job_boards')`);
  }
}
