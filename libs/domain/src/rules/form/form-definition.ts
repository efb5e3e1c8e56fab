import { runStatement, type Transaction } from '@ats/postgres';
import { type FormResource, type OnApply } from '../../objects/form.model.js';
import { groupBy } from './group-by.js';
import { readFormRows, type ItemRow, type OptionRow } from './form-rows.js';

/** A form item with the properties of its form and section on which its values depend. */
export interface DefinedItem extends ItemRow {
  readonly formId: number;
  readonly isRepeatable: boolean;
  readonly options: readonly OptionRow[];
  /** Maps the value of each option of the item to the option. */
  readonly optionOf: ReadonlyMap<unknown, OptionRow>;
}

export interface FormDefinition {
  readonly id: number;
  readonly resource: FormResource;
  /** Empty when the form applies to all opportunities. */
  readonly opportunityIds: readonly number[];
  readonly onApply: OnApply;
  readonly items: readonly DefinedItem[];
  /** Maps the id of each item of the form to the item. */
  readonly itemOf: ReadonlyMap<number, DefinedItem>;
}

/** SQL condition that is true when applications to this opportunity need values of the form `f`. */
const isRequiredFor = (resource: string, opportunityId: string): string =>
  `f.on_apply = 'required' AND f.resource = ${resource}
     AND (f.opportunity_ids = '{}' OR ${opportunityId} = ANY(f.opportunity_ids))`;

/** True when applications to the opportunity must fill in a form. */
export async function isFormRequired(
  transaction: Transaction,
  resource: string,
  opportunityId: number | undefined,
): Promise<boolean> {
  const required = await runStatement(transaction, `SELECT FROM forms f WHERE ${isRequiredFor('$1', '$2')} LIMIT 1`, [
    resource,
    opportunityId ?? null,
  ]);
  return required.length > 0;
}

export interface WantedForms {
  /** The ids of form items. The forms with these items are read. */
  readonly itemIds: readonly number[];
  /**
   * Present when the request creates an application. Then the forms that applications to this opportunity must fill in
   * are also read. `opportunityId` is undefined when the opportunity is unknown.
   */
  readonly applying?: { readonly resource: string; readonly opportunityId: number | undefined } | undefined;
}

/** Reads forms. Locks them against changes until the transaction ends. */
export async function lockForms(
  transaction: Transaction,
  { itemIds, applying }: WantedForms,
): Promise<readonly FormDefinition[]> {
  const rows = await runStatement<FormRow>(
    transaction,
    `SELECT f.id, f.resource, f.on_apply, to_json(f.opportunity_ids) AS opportunity_ids FROM forms f
     WHERE f.id IN (
       SELECT s.form_id FROM form_sections s JOIN form_items i ON i.section_id = s.id WHERE i.id = ANY($1))
     OR ${isRequiredFor('$2', '$3')}
     ORDER BY f.id FOR SHARE`,
    [itemIds, applying?.resource ?? null, applying?.opportunityId ?? null],
  );
  return rows.length > 0 ? withItems(transaction, rows) : [];
}

interface FormRow {
  readonly id: number;
  readonly resource: FormResource;
  readonly on_apply: OnApply;
  readonly opportunity_ids: readonly number[];
}

async function withItems(transaction: Transaction, forms: readonly FormRow[]): Promise<readonly FormDefinition[]> {
  const { sections, items, options } = await readFormRows(
    transaction,
    forms.map(({ id }) => id),
  );
  const ofItem = groupBy(options, ({ item_id }) => item_id);
  const ofSection = new Map(sections.map((section) => [section.id, section]));
  const defined = items.map((item): DefinedItem => {
    const section = ofSection.get(item.section_id);
    const own = ofItem.get(item.id) ?? [];
    return {
      ...item,
      formId: section?.form_id ?? 0,
      isRepeatable: section?.repeatable ?? false,
      options: own,
      optionOf: new Map(own.map((option) => [option.value, option])),
    };
  });
  const ofForm = groupBy(defined, ({ formId }) => formId);
  return forms.map(({ id, resource, on_apply, opportunity_ids }) => {
    const own = ofForm.get(id) ?? [];
    return {
      id,
      resource,
      opportunityIds: opportunity_ids,
      onApply: on_apply,
      items: own,
      itemOf: new Map(own.map((item) => [item.id, item])),
    };
  });
}
