import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Sets `updated_dt` of a communication when its application is deleted. */
export class DateLostApplications1795228000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_lost_reference_trigger('communications', 'application_id')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tr_lost_application_id ON communications');
  }
}
