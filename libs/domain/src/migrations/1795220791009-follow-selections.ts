import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `selections` for the changes feed. */
export class FollowSelections1795220791009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('selections', 'selections')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('selections')`);
  }
}
