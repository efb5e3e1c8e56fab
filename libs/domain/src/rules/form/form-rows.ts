import { runStatement, type Transaction } from '@ats/postgres';
import { type LocalisedText, storedText, type TextLanguages } from '../../vocabulary/localised-text.js';
import { type ItemBody, type SectionBody } from './form-body.js';
import { type ItemType } from '../../objects/form.model.js';

export interface SectionRow {
  readonly id: number;
  readonly form_id: number;
  readonly position: number;
  readonly name: LocalisedText;
  readonly repeatable: boolean;
}

export interface ItemRow {
  readonly id: number;
  readonly section_id: number;
  readonly position: number;
  readonly key: string;
  readonly label: LocalisedText;
  readonly type: ItemType;
  readonly required: boolean;
  readonly visible_if: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly max_length: number | null;
  readonly pattern: string | null;
}

export interface OptionRow {
  readonly id: number;
  readonly item_id: number;
  readonly position: number;
  readonly value: string;
  readonly label: LocalisedText;
}

/** The sections, items and options of one or more forms. Each list is in the order of the positions. */
export interface FormRows {
  readonly sections: readonly SectionRow[];
  readonly items: readonly ItemRow[];
  readonly options: readonly OptionRow[];
}

export async function readFormRows(transaction: Transaction, formIds: readonly number[]): Promise<FormRows> {
  const [sections, items, options] = [
    await runStatement<SectionRow>(
      transaction,
      'SELECT * FROM form_sections WHERE form_id = ANY($1) ORDER BY form_id, position',
      [formIds],
    ),
    await runStatement<ItemRow>(
      transaction,
      `SELECT i.* FROM form_items i JOIN form_sections s ON s.id = i.section_id
       WHERE s.form_id = ANY($1) ORDER BY s.form_id, s.position, i.position`,
      [formIds],
    ),
    await runStatement<OptionRow>(
      transaction,
      `SELECT o.*
       FROM form_options o JOIN form_items i ON i.id = o.item_id JOIN form_sections s ON s.id = i.section_id
       WHERE s.form_id = ANY($1) ORDER BY o.item_id, o.position`,
      [formIds],
    ),
  ];
  return { sections, items, options };
}

type Table = 'form_sections' | 'form_items' | 'form_options';

export interface Planning {
  readonly formId: number;
  readonly before: FormRows;
  readonly languages: TextLanguages;
}

/**
 * Returns the rows that a body describes. A part (a section, item or option) with the id of a stored row keeps that
 * row. A part without an id keeps the stored row that corresponds to it: the item with the same key, the option with
 * the same value, or the section at the same position. If another part names that row by id, the part without an id
 * gets a new row.
 */
export async function planRows(
  transaction: Transaction,
  body: readonly SectionBody[],
  { formId, before, languages }: Planning,
): Promise<FormRows> {
  const sectionIds = await identify(
    transaction,
    'form_sections',
    body.map(({ id }, index) => id ?? freeSection(body, before, index)),
  );
  const [storedSections, storedItems, storedOptions] = [
    byId(before.sections),
    byId(before.items),
    byId(before.options),
  ];
  const sections = body.map(
    (section, position): SectionRow => ({
      id: sectionIds[position] ?? 0,
      form_id: formId,
      position,
      name: storedText(section.name, languages, storedSections.get(sectionIds[position])?.name),
      repeatable: section.repeatable ?? false,
    }),
  );
  const given = body.flatMap((section, index) =>
    section.items.map((item, position) => ({ item, position, section_id: sectionIds[index] ?? 0 })),
  );
  const idOfKey = idsByKey(
    before.items,
    given.map(({ item }) => item.id),
  );
  const itemIds = await identify(
    transaction,
    'form_items',
    given.map(({ item }) => item.id ?? idOfKey.get(item.key)),
  );
  const items = given.map(({ item, position, section_id }, index) =>
    toItemRow(
      item,
      { id: itemIds[index] ?? 0, section_id, position },
      storedText(item.label, languages, storedItems.get(itemIds[index])?.label),
    ),
  );
  const givenOptions = given.flatMap(({ item }, index) =>
    (item.options ?? []).map((option, position) => ({ option, position, item_id: itemIds[index] ?? 0 })),
  );
  const idOfOption = new Map(
    unclaimed(
      before.options,
      givenOptions.map(({ option }) => option.id),
    ).map(({ item_id, value, id }) => [`${item_id} ${value}`, id]),
  );
  const optionIds = await identify(
    transaction,
    'form_options',
    givenOptions.map(({ option, item_id }) => option.id ?? idOfOption.get(`${item_id} ${option.value}`)),
  );
  const options = givenOptions.map(
    ({ option, position, item_id }, index): OptionRow => ({
      id: optionIds[index] ?? 0,
      item_id,
      position,
      value: option.value,
      label: storedText(option.label ?? option.value, languages, storedOptions.get(optionIds[index])?.label),
    }),
  );
  return { sections, items, options };
}

const byId = <T extends WithId>(rows: readonly T[]): ReadonlyMap<unknown, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** Returns the stored rows whose id does not occur in the body. */
function unclaimed<T extends WithId>(rows: readonly T[], ids: readonly unknown[]): readonly T[] {
  const claimed = new Set(ids);
  return rows.filter(({ id }) => !claimed.has(id));
}

/**
 * Maps the keys of stored items to their ids. Leaves out items whose id occurs in the body.
 * @param ids  the ids that occur in the body
 */
export const idsByKey = (items: readonly ItemRow[], ids: readonly unknown[]): ReadonlyMap<unknown, number> =>
  new Map(unclaimed(items, ids).map(({ key, id }) => [key, id]));

function freeSection(body: readonly SectionBody[], { sections }: FormRows, index: number): number | undefined {
  const atPlace = sections[index]?.id;
  return body.some(({ id }) => id === atPlace) ? undefined : atPlace;
}

function toItemRow(
  item: ItemBody,
  place: Pick<ItemRow, 'id' | 'section_id' | 'position'>,
  label: LocalisedText,
): ItemRow {
  const { min = null, max = null, max_length = null, pattern = null } = item.validation ?? {};
  const isConditional = item.visible_if !== undefined && item.visible_if.trim() !== '';
  return {
    ...place,
    key: item.key,
    label,
    type: item.type,
    required: item.required ?? false,
    visible_if: isConditional ? (item.visible_if ?? null) : null,
    min,
    max,
    max_length,
    pattern,
  };
}

/** Returns the ids in the same order, with a new id in place of each undefined id. */
async function identify(
  transaction: Transaction,
  table: Table,
  ids: readonly (number | undefined)[],
): Promise<readonly number[]> {
  const missing = ids.filter((id) => id === undefined).length;
  const fresh = await runStatement<{ id: number }>(
    transaction,
    `SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id FROM generate_series(1, $1)`,
    [missing],
  );
  let next = 0;
  return ids.map((id) => id ?? fresh[next++]?.id ?? 0);
}

/** Replaces the stored sections, items and options of a form by the planned ones. */
export async function storeRows(transaction: Transaction, before: FormRows, after: FormRows): Promise<void> {
  await upsert(transaction, 'form_sections', after.sections);
  await upsert(transaction, 'form_items', after.items);
  await upsert(transaction, 'form_options', after.options);
  await removeRest(transaction, 'form_options', before.options, after.options);
  await removeRest(transaction, 'form_items', before.items, after.items);
  await removeRest(transaction, 'form_sections', before.sections, after.sections);
}

async function upsert(transaction: Transaction, table: Table, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const assignments = columns.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  await runStatement(
    transaction,
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)
     ON CONFLICT (id) DO UPDATE SET ${assignments.join(', ')}`,
    [JSON.stringify(rows)],
  );
}

interface WithId {
  readonly id: number;
}

/** Returns the elements of `rows` whose id no element of `others` has. */
export const without = <T extends WithId>(rows: readonly T[], others: readonly WithId[]): T[] => {
  const kept = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !kept.has(id));
};

async function removeRest(
  transaction: Transaction,
  table: Table,
  before: readonly WithId[],
  after: readonly WithId[],
): Promise<void> {
  await runStatement(transaction, `DELETE FROM ${table} WHERE id = ANY($1)`, [
    without(before, after).map(({ id }) => id),
  ]);
}
