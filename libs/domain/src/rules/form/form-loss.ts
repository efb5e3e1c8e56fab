import { type Message, message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { type Violation } from '../../vocabulary/validation-error.js';
import { without, type FormRows, type ItemRow, type OptionRow, type SectionRow } from './form-rows.js';

export interface Replacing {
  readonly before: FormRows;
  readonly plan: FormRows;
  /** The table that stores the values of the form. */
  readonly table: string;
  /** True when the replacement changes the collection of the form. */
  readonly isMoved: boolean;
}

/**
 * Returns one violation for each part of a form whose stored values would be lost: the replacement removes the part, or
 * gives it another type.
 */
export async function lossViolations(
  transaction: Transaction,
  { before, plan, table, isMoved }: Replacing,
): Promise<Violation[]> {
  const typesBefore = new Map(before.items.map(({ id, type }) => [id, type]));
  const used = new Set(await usedItems(transaction, table, touchedItems(before, plan, isMoved)));
  const isUsed = ({ id }: ItemRow): boolean => used.has(id);
  const gone = without(before.items, plan.items).filter(isUsed);
  const ofAnotherType = plan.items.filter(
    (item) => isUsed(item) && typesBefore.has(item.id) && typesBefore.get(item.id) !== item.type,
  );
  return [
    ...(isMoved && used.size > 0 ? [inUse('/resource', message`the form has stored values`)] : []),
    ...gone.map(({ key }) => inUse('/sections', message`the item ${key} has stored values`)),
    ...ofAnotherType.map((item) => inUse(`${pointerTo(plan, item)}/type`, message`this item has stored values`)),
    ...(await lostOptions(transaction, { before, plan, table })),
    ...(await lostInstances(transaction, { before, plan, table })),
  ];
}

const inUse = (path: string, info: Message): Violation => ({ path, code: 'in_use', info });

function touchedItems(before: FormRows, plan: FormRows, isMoved: boolean): number[] {
  const types = new Map(plan.items.map(({ id, type }) => [id, type]));
  const isKept = ({ id, type }: ItemRow): boolean => types.get(id) === type;
  return before.items.filter((item) => isMoved || !isKept(item)).map(({ id }) => id);
}

async function usedItems(
  transaction: Transaction,
  table: string,
  itemIds: readonly number[],
): Promise<readonly number[]> {
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM unnest($1::bigint[]) AS given(id) WHERE EXISTS (SELECT FROM ${table} v WHERE v.item_id = given.id)`,
    [itemIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns a violation for each option that the replacement removes although stored values use it. Only items that stay
 * are checked.
 */
async function lostOptions(
  transaction: Transaction,
  { before, plan, table }: Omit<Replacing, 'isMoved'>,
): Promise<Violation[]> {
  const kept = new Set(plan.items.map(({ id }) => id));
  const gone = without(before.options, plan.options).filter(({ item_id }) => kept.has(item_id));
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT o.id FROM form_options o WHERE o.id = ANY($1)
       AND EXISTS (SELECT FROM ${table} v
         WHERE v.item_id = o.item_id AND (v.text_value = o.value OR v.option_values @> ARRAY[o.value]))`,
    [gone.map(({ id }) => id)],
  );
  const lost = new Set(rows.map(({ id }) => id));
  return gone
    .filter(({ id }) => lost.has(id))
    .map((option) =>
      inUse(`${pointerToItem(plan, option)}/options`, message`the option ${option.value} occurs in stored values`),
    );
}

/**
 * Returns a violation for each section that becomes unrepeatable although it has stored values in a section instance
 * above 1.
 */
async function lostInstances(
  transaction: Transaction,
  { before, plan, table }: Omit<Replacing, 'isMoved'>,
): Promise<Violation[]> {
  const repeatable = repeatableItems(before);
  const stillRepeatable = repeatableItems(plan);
  const single = plan.items.filter(({ id }) => repeatable.has(id) && !stillRepeatable.has(id));
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM unnest($1::bigint[]) AS given(id)
     WHERE EXISTS (SELECT FROM ${table} v WHERE v.item_id = given.id AND v.section_instance > 1)`,
    [single.map(({ id }) => id)],
  );
  const held = new Set(rows.map(({ id }) => id));
  const sections = new Set(single.filter(({ id }) => held.has(id)).map(({ section_id }) => section_id));
  return plan.sections.flatMap((section: SectionRow, index) =>
    sections.has(section.id)
      ? [
          inUse(
            `/sections/${index}/repeatable`,
            message`the section must stay repeatable: stored values belong to its second instance or a later one`,
          ),
        ]
      : [],
  );
}

function repeatableItems({ sections, items }: FormRows): ReadonlySet<number> {
  const repeatable = new Set(sections.filter((section) => section.repeatable).map(({ id }) => id));
  return new Set(items.filter(({ section_id }) => repeatable.has(section_id)).map(({ id }) => id));
}

function pointerTo({ sections }: FormRows, { section_id, position }: ItemRow): string {
  return `/sections/${sections.findIndex(({ id }) => id === section_id)}/items/${position}`;
}

function pointerToItem(plan: FormRows, { item_id }: OptionRow): string {
  const item = plan.items.find(({ id }) => id === item_id);
  return item ? pointerTo(plan, item) : '/sections';
}
