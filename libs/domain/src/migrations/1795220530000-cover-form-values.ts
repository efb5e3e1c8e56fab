import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the section and form instances to the indexes of form values, so that PostgreSQL answers conditions on form
 * values from an index alone. Adds statistics about the values of each item and about folded texts, because PostgreSQL
 * does not use the statistics of an index expression here.
 */
export class CoverFormValues1795220530000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `${recreate('item_id, section_instance, form_instance')} ${TABLES.map(statistics).join('\n')} ANALYZE ${TABLES.join(', ')};`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP STATISTICS ${TABLES.flatMap((table) => ['items', 'text', 'long', 'rich'].map((name) => `st_${table}_${name}`)).join(', ')}; ${recreate('item_id')}`,
    );
  }
}

const TABLES = ['application_form_values', 'opportunity_form_values'];

/** By index name: the indexed column or expression, and the `WHERE` clause of a partial index. */
const INDEXES = {
  text: ['text_value', ''],
  order: ['(text_value COLLATE "und-x-icu")', ''],
  ...Object.fromEntries(
    ['number', 'boolean', 'date', 'datetime'].map((type) => [
      type,
      [`${type}_value`, `WHERE ${type}_value IS NOT NULL`],
    ]),
  ),
};

function recreate(place: string): string {
  const each = TABLES.flatMap((table) =>
    Object.entries(INDEXES).map(([name, [value, where]]) => ({ table, name: `ix_${table}_${name}`, value, where })),
  );
  return each
    .map(
      ({ table, name, value, where }) =>
        `DROP INDEX ${name}; CREATE INDEX ${name} ON ${table} (${place}, ${value}, owner_id) ${where};`,
    )
    .join('\n');
}

/** The expression of `foldSql` in @ats/search-query. */
const folded = (column: string): string => `(translate(lower(${column} COLLATE "und-x-icu"), 'ς', 'σ'))`;

const statistics = (table: string): string => `
CREATE STATISTICS st_${table}_items (mcv) ON item_id, text_value, number_value FROM ${table};
CREATE STATISTICS st_${table}_text ON ${folded('text_value')} FROM ${table};
CREATE STATISTICS st_${table}_long ON ${folded('long_value')} FROM ${table};
CREATE STATISTICS st_${table}_rich ON ${folded('rich_value_plain')} FROM ${table};`;
