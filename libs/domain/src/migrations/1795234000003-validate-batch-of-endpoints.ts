import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Validates the constraint of `AddBatchOfEndpoints` without a lock that blocks writes. */
export class ValidateBatchOfEndpoints1795234000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_endpoints VALIDATE CONSTRAINT ck_notification_endpoints_batch');
  }

  /** Does nothing, because a validated constraint cannot become invalid again. */
  async down(): Promise<void> {}
}
