import { isDeepStrictEqual } from 'node:util';
import { datapathsOf, parseExpression } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { getObjectType } from '../../objects/object-model.js';
import { rowsOf } from '../../reading/rows-of.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { languagesOf } from '../../reading/default-language.js';
import { DATAPATH_SYNTAX } from '../../vocabulary/form-data.js';
import { NotFoundError, ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { lockObject } from '../../writing/lock-object.js';
import { deleteObject, insertObject, replaceObject, touch } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { type SectionBody } from './form-body.js';
import { itemsOf, optionsOf, partViolations, resourceOf, sectionsOf, type Part } from './form-violations.js';
import { modelForNewTexts } from '../../facts/closed-values.js';
import { FORM_ROOTS, forms, type FormResource } from '../../objects/form.model.js';
import { idsByKey, planRows, readFormRows, storeRows, type FormRows } from './form-rows.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';
import { groupBy } from './group-by.js';
import { lossViolations } from './form-loss.js';

const NOTHING: FormRows = { sections: [], items: [], options: [] };

/**
 * Stores a new form.
 * @returns the id of the form
 * @throws {ValidationError} with all violations that {@link formViolations} finds
 */
export async function createForm(transaction: Transaction, body: WriteBody): Promise<number> {
  await refuse(await formViolations(transaction, body));
  const id = await insertObject(transaction, forms, body);
  const plan = await planRows(transaction, body['sections'] as SectionBody[], {
    formId: id,
    before: NOTHING,
    languages: await languagesOf(transaction),
  });
  await storeRows(transaction, NOTHING, plan);
  return id;
}

/**
 * Replaces a form. `planRows` says which parts keep their ids. A part that has values must not be removed or change its
 * type.
 * @throws {ValidationError} with all violations that {@link formViolations} finds, or `in_use` for each part whose
 *   values would be lost
 * Source: docs/reference/forms.md, "Replacing a form".
 */
export async function replaceForm(
  transaction: Transaction,
  id: number,
  body: WriteBody,
  settings: ReadSettings,
): Promise<void> {
  await lockObject(transaction, forms, id);
  const before = await readFormRows(transaction, [id]);
  await refuse(await formViolations(transaction, body, id));
  const plan = await planRows(transaction, body['sections'] as SectionBody[], {
    formId: id,
    before,
    languages: await languagesOf(transaction, settings),
  });
  const resource = await resourceOfForm(transaction, id);
  await refuse(
    await lossViolations(transaction, {
      before,
      plan,
      table: formValuesTable(FORM_ROOTS[resource]),
      isMoved: resource !== body['resource'],
    }),
  );
  const { changes } = await replaceObject(transaction, forms, { id, body }, settings);
  await storeRows(transaction, before, plan);
  await renameOptions(transaction, FORM_ROOTS[resource], before, plan);
  if (changes.length === 0 && !isDeepStrictEqual(before, await readFormRows(transaction, [id]))) {
    await touch(transaction, forms.type, id);
    await noteChanges(transaction, { root: forms.type.name, change: 'update', ids: [id] });
  }
}

/**
 * Deletes a form.
 * @throws {ValidationError} `in_use` while the form has values
 */
export async function deleteForm(transaction: Transaction, id: number): Promise<void> {
  await lockObject(transaction, forms, id);
  const before = await readFormRows(transaction, [id]);
  const table = formValuesTable(FORM_ROOTS[await resourceOfForm(transaction, id)]);
  const violations = await lossViolations(transaction, { before, plan: NOTHING, table, isMoved: false });
  if (violations.length > 0) await refuse([{ path: '', code: 'in_use', info: message`the form has stored values` }]);
  await deleteObject(transaction, forms, id);
}

/** Returns the violations that the schema of the body does not report. The body may also violate its schema. */
export async function formViolations(transaction: Transaction, given: WriteBody, ownId?: number): Promise<Violation[]> {
  const conditions = itemsOf(given).flatMap((item) =>
    typeof item.given['visible_if'] === 'string' ? [item.given['visible_if']] : [],
  );
  const model = await modelForNewTexts((text, parameters) => runStatement(transaction, text, parameters), conditions);
  const before = ownId === undefined ? NOTHING : await readFormRows(transaction, [ownId]);
  return [
    ...(await opportunityViolations(transaction, given, ownId)),
    ...idViolations(given, before),
    ...partViolations(
      given,
      model,
      before.items.flatMap(({ visible_if }) => visible_if ?? []),
    ),
  ];
}

async function resourceOfForm(transaction: Transaction, id: number): Promise<FormResource> {
  const form = await rowsOf<{ id: number; resource: FormResource }>(transaction, forms.type).findOneOrFail({
    select: { resource: true },
    where: { id },
  });
  return form.resource;
}

/**
 * Returns violations for opportunities that do not exist or have the wrong kind. Ids that the stored form already has
 * are valid, even if their opportunities were deleted.
 */
async function opportunityViolations(transaction: Transaction, given: WriteBody, ownId = 0): Promise<Violation[]> {
  const resource = resourceOf(given);
  const ids: unknown = given['opportunity_ids'];
  if (!resource || !Array.isArray(ids)) return [];
  const kind = resource === 'applications' || resource === 'vacancies' ? 'vacancy' : 'event';
  const wanted = ids.map((id: unknown) => (Number.isSafeInteger(id) ? Number(id) : 0));
  const known = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM opportunities WHERE id = ANY($1) AND kind = $2
     UNION SELECT unnest(opportunity_ids) FROM forms WHERE id = $3 AND resource = $4`,
    [wanted, kind, ownId, resource],
  );
  const found = new Set(known.map(({ id }) => id));
  return wanted.flatMap((id, index) =>
    id > 0 && !found.has(id)
      ? [{ path: `/opportunity_ids/${index}`, code: 'invalid', info: new NotFoundError(kind, id).info }]
      : [],
  );
}

/**
 * Returns a violation for each section, item or option of the body that has an id which the stored form lacks. An
 * option must belong to the same stored item.
 */
function idViolations(given: WriteBody, before: FormRows): Violation[] {
  const unknown = (parts: readonly Part[], rows: readonly { readonly id: number }[], info: Message): Violation[] => {
    const known = new Set<unknown>(rows.map(({ id }) => id));
    return parts.flatMap(({ path, given: { id } }) =>
      Number.isSafeInteger(id) && !known.has(id) ? [{ path: `${path}/id`, code: 'invalid', info }] : [],
    );
  };
  const items = itemsOf(given);
  const idOfKey = idsByKey(
    before.items,
    items.map((item) => item.given['id']),
  );
  const optionsOfItem = groupBy<FormRows['options'][number], unknown>(before.options, ({ item_id }) => item_id);
  const ofOptions = items.flatMap((item) => {
    const itemId = item.given['id'] ?? idOfKey.get(item.given['key']);
    return unknown(optionsOf(item), optionsOfItem.get(itemId) ?? [], message`the item has no option with this id`);
  });
  return [
    ...unknown(sectionsOf(given), before.sections, message`the form has no section with this id`),
    ...unknown(items, before.items, message`the form has no item with this id`),
    ...ofOptions,
  ];
}

/**
 * Updates the stored values of selects whose options were renamed: they contain the option's value beside its id. Also
 * sets `updated_dt` of the owners of these form values.
 */
async function renameOptions(
  transaction: Transaction,
  root: FormOwner,
  before: FormRows,
  plan: FormRows,
): Promise<void> {
  const valuesBefore = new Map(before.options.map(({ id, value }) => [id, value]));
  const renamed = plan.options.filter(({ id, value }) => valuesBefore.has(id) && valuesBefore.get(id) !== value);
  const itemIds = [...new Set(renamed.map(({ item_id }) => item_id))];
  if (itemIds.length === 0) return;
  const valueOf = (ids: string): string => `(SELECT o.value FROM form_options o WHERE o.id = ${ids}[1])`;
  const valuesOf = (ids: string): string =>
    `ARRAY(SELECT o.value FROM unnest(${ids}) WITH ORDINALITY AS chosen(id, position)
       JOIN form_options o ON o.id = chosen.id ORDER BY chosen.position)`;
  await runStatement(
    transaction,
    `WITH renamed AS (UPDATE ${formValuesTable(root)}
     SET text_value = CASE WHEN text_value IS NOT NULL THEN ${valueOf('option_ids')} END,
       option_values = CASE WHEN option_values IS NOT NULL THEN ${valuesOf('option_ids')} END
     WHERE item_id = ANY($1) AND option_ids && $2 RETURNING owner_id)
     UPDATE ${getObjectType(root).table ?? ''} SET updated_dt = clock_timestamp()
     WHERE id IN (SELECT owner_id FROM renamed)`,
    [itemIds, renamed.map(({ id }) => id)],
  );
}

function refuse(violations: readonly Violation[]): Promise<void> {
  return violations.length === 0 ? Promise.resolve() : Promise.reject(new ValidationError(forms.name, violations));
}

/**
 * Returns the root of the conditions of a valid body, and the datapaths that the conditions read, without this root.
 */
export function formDatapaths(body: WriteBody): { readonly root: FormOwner; readonly datapaths: readonly string[] } {
  const resource = resourceOf(body);
  if (!resource) throw new Error('the body of a form passed validation without a valid resource');
  const root = FORM_ROOTS[resource];
  const conditions = itemsOf(body).flatMap(({ given: { visible_if } }) =>
    typeof visible_if === 'string' ? [visible_if] : [],
  );
  const datapaths = new Set(conditions.flatMap((text) => datapathsOf(parseExpression(text, DATAPATH_SYNTAX))));
  return { root, datapaths: [...datapaths].map((datapath) => datapath.slice(root.length + 1)) };
}
