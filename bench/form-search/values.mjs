/** The items of the benchmark's form. The values of each item are copies of the column `source` of the applications. */
const ITEMS = [
  { key: 'reference', type: 'text', column: 'text_value', source: 'reference' },
  { key: 'source', type: 'text', column: 'text_value', source: 'source' },
  { key: 'rating', type: 'integer', column: 'number_value', source: 'rating' },
  { key: 'at', type: 'datetime', column: 'datetime_value', source: 'created_dt' },
];

const NAME = 'Benchmark of form values';

/**
 * Adds form values to each application: copies of four of its columns. Does nothing when the database already has them.
 * @returns {Promise<Record<string, number>>} ids of items by key
 */
export async function fillFormValues(query) {
  const known = await itemsOf(query);
  if (Object.keys(known).length > 0) return known;
  await query(
    `WITH form AS (INSERT INTO forms (name, resource) VALUES ($1, 'applications') RETURNING id),
       section AS (INSERT INTO form_sections (form_id, position, name) SELECT id, 0, '{"en":"Section"}' FROM form RETURNING id)
     INSERT INTO form_items (section_id, position, key, label, type)
     SELECT section.id, i.position, i.key, '{"en":"Item"}', i.type FROM section, unnest($2::text[], $3::text[]) WITH ORDINALITY AS i(key, type, position)`,
    [NAME, ITEMS.map(({ key }) => key), ITEMS.map(({ type }) => type)],
  );
  const ids = await itemsOf(query);
  for (const { key, column, source } of ITEMS) {
    await query(
      `INSERT INTO application_form_values (owner_id, item_id, ${column})
       SELECT id, ${ids[key]}, ${source} FROM applications WHERE app_type = 'vacancy_application' AND ${source} IS NOT NULL ORDER BY id`,
    );
  }
  await query('VACUUM ANALYZE application_form_values');
  return ids;
}

async function itemsOf(query) {
  const rows = await query(
    'SELECT i.key, i.id::integer FROM form_items i JOIN form_sections s ON s.id = i.section_id JOIN forms f ON f.id = s.form_id WHERE f.name = $1',
    [NAME],
  );
  return Object.fromEntries(rows.map(({ key, id }) => [key, id]));
}
