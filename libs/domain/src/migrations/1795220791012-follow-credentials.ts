import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `credentials` for the changes feed. */
export class FollowCredentials1795220791012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('credentials', 'credentials')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('credentials')`);
  }
}
