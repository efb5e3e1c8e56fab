import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Removes deleted forms and layouts from the selections that contain them. */
export class LetFormsAndLayoutsLeaveSelections1795220350000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`CREATE TRIGGER tr_${table}_leave_selections AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION leave_selections()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TRIGGER tr_${table}_leave_selections ON ${table}`);
  }
}

const TABLES = ['forms', 'layouts'];
