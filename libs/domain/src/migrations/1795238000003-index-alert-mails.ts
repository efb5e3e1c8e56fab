import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Validates the constraints of `AddAlertMails`, and creates the index that finds the e-mails about a subscription. */
export class IndexAlertMails1795238000003 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['fk_outgoing_mails_subscription', 'ck_outgoing_mails_alert', 'ck_outgoing_mails_subject'])
      await runner.query(`ALTER TABLE outgoing_mails VALIDATE CONSTRAINT ${name}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_outgoing_mails_subscription');
    await runner.query(`CREATE INDEX CONCURRENTLY ix_outgoing_mails_subscription
      ON outgoing_mails (subscription_id, created_dt) WHERE subscription_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_outgoing_mails_subscription');
  }
}
