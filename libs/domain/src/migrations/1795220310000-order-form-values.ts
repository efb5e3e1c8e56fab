import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes the texts of forms in their sort order, so that the first page of applications or opportunities sorted by
 * such a text needs no sorting.
 */
export class OrderFormValues1795220310000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX ix_application_form_values_order ON application_form_values (item_id, (text_value COLLATE "und-x-icu"), owner_id);
CREATE INDEX ix_opportunity_form_values_order ON opportunity_form_values (item_id, (text_value COLLATE "und-x-icu"), owner_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_application_form_values_order, ix_opportunity_form_values_order');
  }
}
