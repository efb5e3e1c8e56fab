import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Lets endpoints ask for e-mails to their owners, and lets the e-mail queue contain them. A notifier of the previous
 * release cannot send these: it reads such an e-mail from the queue, cannot claim it, and requeues it. The e-mail then
 * waits at most ten minutes longer. Source: docs/reference/notifications.md, "E-mails to the owner".
 */
export class AddAlertMails1795238000002 implements MigrationInterface {
  readonly contraction = {
    unneededSince: '0.1.0',
    because: 'the new constraint allows every row that the replaced one allowed, and no code names either',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_endpoints ADD COLUMN emails_owner boolean NOT NULL DEFAULT false;
ALTER TABLE outgoing_mails
  ADD COLUMN alert_type text,
  ADD COLUMN subscription_id bigint,
  ADD CONSTRAINT fk_outgoing_mails_subscription FOREIGN KEY (subscription_id)
    REFERENCES notification_subscriptions (id) ON DELETE CASCADE NOT VALID,
  ADD CONSTRAINT ck_outgoing_mails_alert CHECK ((alert_type IS NULL) = (subscription_id IS NULL)) NOT VALID,
  DROP CONSTRAINT ck_outgoing_mails_subject,
  ADD CONSTRAINT ck_outgoing_mails_subject
    CHECK (num_nonnulls(communication_id, activation_id, subscription_id) = 1) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DELETE FROM outgoing_mails WHERE alert_type IS NOT NULL;
ALTER TABLE outgoing_mails
  DROP CONSTRAINT ck_outgoing_mails_subject,
  DROP COLUMN alert_type,
  DROP COLUMN subscription_id,
  ADD CONSTRAINT ck_outgoing_mails_subject CHECK (num_nonnulls(communication_id, activation_id) = 1);
ALTER TABLE notification_endpoints DROP COLUMN emails_owner`);
  }
}
