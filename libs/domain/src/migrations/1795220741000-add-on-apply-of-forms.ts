import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the column `on_apply`: whether a form is required, optional or hidden in a request that creates an application.
 * Forms of the previous release are optional.
 */
export class AddOnApplyOfForms1795220741000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE forms ADD COLUMN on_apply text NOT NULL DEFAULT 'optional';
ALTER TABLE forms ADD CONSTRAINT ck_forms_on_apply
  CHECK (on_apply IN ('required', 'optional', 'hidden')) NOT VALID;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE forms DROP COLUMN on_apply');
  }
}
