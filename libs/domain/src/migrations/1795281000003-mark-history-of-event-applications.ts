import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the collection in each new history entry of an event application, whichever release writes it. Entries of
 * applications to vacancies keep null. Source: docs/reference/history.md, "Feed".
 */
export class MarkHistoryOfEventApplications1795281000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE FUNCTION mark_history_of_events() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF EXISTS (SELECT FROM applications WHERE id = NEW.subject_id AND app_type = 'event_application') THEN
    NEW.collection := 'event_applications';
  END IF;
  RETURN NEW;
END $function$;
CREATE TRIGGER tr_history_entries_collection BEFORE INSERT ON history_entries FOR EACH ROW
  WHEN (NEW.subject_type = 'application' AND NEW.collection IS NULL) EXECUTE FUNCTION mark_history_of_events();
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tr_history_entries_collection ON history_entries');
    await runner.query('DROP FUNCTION mark_history_of_events()');
  }
}
