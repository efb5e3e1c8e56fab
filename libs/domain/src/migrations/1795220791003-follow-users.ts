import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `users` for the changes feed. */
export class FollowUsers1795220791003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('users', 'users')`);
    await runner.query(`SELECT add_change_triggers('candidates', 'users', 'type', 'candidate')`);
    await runner.query(`SELECT add_change_triggers('recruiters', 'users', 'type', 'recruiter')`);
    for (const [resource, condition] of [
      ['users', ''],
      ['candidates', ` AND NEW.type = 'candidate'`],
      ['recruiters', ` AND NEW.type = 'recruiter'`],
    ])
      await runner.query(`CREATE TRIGGER tr_change_${resource}_anonymised AFTER UPDATE OF status ON users FOR EACH ROW
        WHEN (NEW.status = 'anonymised' AND OLD.status IS DISTINCT FROM NEW.status${condition})
        EXECUTE FUNCTION record_change('${resource}', 'anonymised')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('users')`);
  }
}
