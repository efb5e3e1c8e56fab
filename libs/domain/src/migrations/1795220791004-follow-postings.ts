import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `postings` for the changes feed. */
export class FollowPostings1795220791004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('postings', 'postings')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('postings')`);
  }
}
