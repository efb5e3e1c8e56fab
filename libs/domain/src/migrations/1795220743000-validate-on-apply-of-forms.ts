import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Validates the constraint of the migration `AddOnApplyOfForms` without a lock that blocks writes. */
export class ValidateOnApplyOfForms1795220743000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE forms VALIDATE CONSTRAINT ck_forms_on_apply');
  }

  /** Does nothing, because a validated constraint cannot become invalid again. */
  async down(): Promise<void> {}
}
