import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Validates the constraints of `AddDeliveryModesOfEndpoints` without a lock that blocks writes. */
export class ValidateDeliveryModes1795220871001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['ordering', 'throttle'])
      await runner.query(`ALTER TABLE notification_endpoints VALIDATE CONSTRAINT ck_notification_endpoints_${name}`);
  }

  /** Does nothing, because a validated constraint cannot become invalid again. */
  async down(): Promise<void> {}
}
