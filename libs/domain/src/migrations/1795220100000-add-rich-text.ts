import { type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLES = ['opportunities', 'postings'] as const;

/**
 * Stores descriptions in two formats: as HTML in the existing column, and as plain text in a second column. Existing
 * texts are plain text, from which the HTML is made as `textToHtml` in @ats/rich-text does.
 */
export class AddRichText1795220100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN description_plain text`);
      await runner.query(
        `UPDATE ${table} SET description_plain = description, description = ${HTML} WHERE description IS NOT NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`UPDATE ${table} SET description = description_plain WHERE description IS NOT NULL`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN description_plain`);
    }
  }
}

const LINES = `regexp_replace(replace(replace(replace(description, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\\r\\n?', E'\\n', 'g')`;
/** Replaces spaces that HTML would collapse by no-break spaces. */
const SPACES = `regexp_replace(${LINES}, '(?<=^| ) | $', '\u00a0', 'gn')`;
const HTML = `replace(${SPACES}, E'\\n', '<br />')`;
