import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds to each new change the line of text that the feed reads. Making the lines took half of PostgreSQL's time for a
 * page. Existing rows get no line. Source: docs/adr/0038-places-of-the-changes-feed.md.
 */
export class StoreLinesOfChanges1795260000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE changes ADD COLUMN line text');
    await runner.query(`
      CREATE FUNCTION set_line_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.line := concat_ws(E'\\t', NEW.id, NEW.resource, NEW.item_id, NEW.item_uuid, NEW.change,
          (date_part('epoch', NEW.dt) * 1000)::bigint, NEW.keys);
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_changes_line BEFORE INSERT ON changes
      FOR EACH ROW EXECUTE FUNCTION set_line_of_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tr_changes_line ON changes');
    await runner.query('DROP FUNCTION set_line_of_change');
    await runner.query('ALTER TABLE changes DROP COLUMN line');
  }
}
