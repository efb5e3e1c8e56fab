import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Removes the answers of destinations to messages about anonymised people. A trigger removes later answers to these
 * messages too, because an attempt that runs during anonymising stores its answer afterwards.
 */
export class ForgetAnswers1795220411000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_deliveries ADD COLUMN keeps_answers boolean NOT NULL DEFAULT true;
CREATE FUNCTION forget_notification_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE notification_attempts SET response_excerpt = NULL, response_headers = NULL
  WHERE delivery_id = NEW.id AND occurred_dt = NEW.occurred_dt AND (response_excerpt IS NOT NULL OR response_headers IS NOT NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER tr_notification_deliveries_forgotten AFTER UPDATE ON notification_deliveries
  FOR EACH ROW WHEN (NOT NEW.keeps_answers) EXECUTE FUNCTION forget_notification_answers();
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TRIGGER tr_notification_deliveries_forgotten ON notification_deliveries;
DROP FUNCTION forget_notification_answers;
ALTER TABLE notification_deliveries DROP COLUMN keeps_answers;
`);
  }
}
