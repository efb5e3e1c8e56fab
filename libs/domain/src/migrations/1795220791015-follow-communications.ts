import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `communications` for the changes feed. */
export class FollowCommunications1795220791015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The deletion of an application updates only `application_id` of its communications; a trigger then sets
    // `updated_dt`. So the change triggers must follow both columns.
    await runner.query(
      `SELECT add_change_triggers('communications', 'communications', NULL, NULL, '{}', '{updated_dt,application_id}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('communications')`);
  }
}
