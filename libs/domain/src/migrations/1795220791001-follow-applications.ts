import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `applications` for the changes feed. */
export class FollowApplications1795220791001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('applications', 'applications', 'app_type', 'vacancy_application')`);
    await runner.query(
      `SELECT add_change_triggers('event_applications', 'applications', 'app_type', 'event_application')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('applications')`);
  }
}
