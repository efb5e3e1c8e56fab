import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `saved_searches` for the changes feed. */
export class FollowSavedSearches1795220791016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The URL and the viewers of an item depend on the columns in the last argument.
    await runner.query(
      `SELECT add_change_triggers('saved_searches', 'saved_searches', NULL, NULL, '{owner_id,is_shared}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('saved_searches')`);
  }
}
