import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the triggers that record each change of a row of `message_templates` for the changes feed. */
export class FollowMessageTemplates1795220791008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT add_change_triggers('message_templates', 'message_templates')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT remove_change_triggers('message_templates')`);
  }
}
