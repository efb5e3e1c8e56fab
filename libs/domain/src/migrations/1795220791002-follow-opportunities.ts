import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `opportunities` for the changes feed. */
export class FollowOpportunities1795220791002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('vacancies', 'opportunities', 'kind', 'vacancy')`);
    await runner.query(`SELECT add_change_triggers('events', 'opportunities', 'kind', 'event')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('opportunities')`);
  }
}
