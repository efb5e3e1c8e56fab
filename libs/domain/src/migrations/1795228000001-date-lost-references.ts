import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Sets `updated_dt` of an item when the deletion of another item clears a reference that its representation shows, so
 * that the changes feed contains this change. A migration that adds such a foreign key with `ON DELETE SET NULL` calls
 * `add_lost_reference_trigger` for it. Source: docs/reference/changes.md.
 */
export class DateLostReferences1795228000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DATE_LOST_REFERENCE);
    await runner.query(ADD_TRIGGER);
    await runner.query(`SELECT add_lost_reference_trigger('applications', 'posting_id')`);
    await runner.query(`SELECT add_lost_reference_trigger('applications', 'copied_from_id')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tr_lost_posting_id ON applications');
    await runner.query('DROP TRIGGER tr_lost_copied_from_id ON applications');
    await runner.query('DROP FUNCTION add_lost_reference_trigger, date_lost_reference');
  }
}

/**
 * A second UPDATE is necessary: the triggers of the changes feed see the columns that a statement names, and a foreign
 * key only names its own column.
 */
const DATE_LOST_REFERENCE = `
CREATE FUNCTION date_lost_reference() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('UPDATE %I.%I SET updated_dt = clock_timestamp() WHERE id = $1', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    USING NEW.id;
  RETURN NULL;
END $$`;

const ADD_TRIGGER = `
CREATE FUNCTION add_lost_reference_trigger(source regclass, reference text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW
      WHEN (OLD.%2$I IS NOT NULL AND NEW.%2$I IS NULL AND NEW.updated_dt = OLD.updated_dt)
      EXECUTE FUNCTION date_lost_reference()',
    'tr_lost_' || reference, reference, source);
END $$`;
