import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { MAX_VIOLATIONS, type Violation } from '../../vocabulary/validation-error.js';
import { conditionsContext } from './form-conditions.js';
import { lockForms } from './form-definition.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';
import { groupBy } from './group-by.js';
import { ValidatedValues, withItem, type OwnerValues } from './validate-form-values.js';
import { Patterns } from './pattern.js';
import { readValueRows } from './read-form-values.js';

export interface OwnersValidation {
  /** The collection of the owners. */
  readonly resource: Resource;
  readonly settings: ReadSettings;
  /**
   * Maps the id of each owner to the id of its opportunity, or to undefined when that is unknown. A vacancy or event is
   * its own opportunity. Missing owners are absent.
   */
  readonly opportunities: ReadonlyMap<number, number | undefined>;
  /** Returns true for a datapath whose value after the request is unknown. */
  readonly isUnknown?: (datapath: string) => boolean;
  /** True when the request creates the only owner, which is then an application. The rules of `on_apply` then apply. */
  readonly isApplying?: boolean;
  /** The e-mail address of the person who applies. Present when the draft of that person has another address. */
  readonly applicantEmail?: unknown;
}

/**
 * Validates the form values of several owners. Owners that do not exist are validated as far as possible. The
 * validation stops when there are more violations than one answer lists.
 */
export async function validateOwners(
  transaction: Transaction,
  { resource, settings, opportunities, isUnknown, isApplying = false, applicantEmail }: OwnersValidation,
  owners: readonly OwnerValues[],
): Promise<readonly ValidatedValues[]> {
  const root = resource.type.name as FormOwner;
  const ids = [...opportunities.keys()];
  const [opportunityId] = opportunities.values();
  const forms = await lockForms(transaction, {
    itemIds: itemIdsOf(owners),
    applying: isApplying ? { resource: resource.name, opportunityId } : undefined,
  });
  const before = groupBy(await readValueRows(transaction, formValuesTable(root), ids), ({ owner_id }) => owner_id);
  const context = await conditionsContext(transaction, { root, forms, ids, settings });
  const formOf = new Map(forms.flatMap((form) => form.items.map(({ id }) => [id, form] as const)));
  const patterns = new Patterns();
  const validate = (owner: OwnerValues): ValidatedValues => {
    const values = context.values.get(owner.id);
    const objectValueOf = (datapath: string): unknown => {
      if (!values || isUnknown?.(datapath)) throw new Error(`a condition reads ${datapath}, but its value is unknown`);
      return applicantEmail !== undefined && APPLICANT_EMAIL.test(datapath) ? applicantEmail : values[datapath];
    };
    const known = opportunities.has(owner.id) ? (before.get(owner.id) ?? []) : undefined;
    return new ValidatedValues(owner, {
      resource: resource.name,
      opportunityId: opportunities.get(owner.id),
      isApplying,
      formOf,
      before: known,
      context,
      patterns,
      objectValueOf,
    });
  };
  const validated: ValidatedValues[] = [];
  let violations = 0;
  for (const owner of owners) {
    const values = validate(owner);
    validated.push(values);
    violations += values.violations.length;
    if (violations > MAX_VIOLATIONS) break;
    await letOthersRun();
  }
  return validated;
}

const APPLICANT_EMAIL = /^application\.(?:(?:user|candidate)\.)+email$/;

const itemIdsOf = (owners: readonly OwnerValues[]): number[] => [
  ...new Set(owners.flatMap(({ given }) => given.map(({ item_id }) => item_id))),
];

/** Adds the properties of form items to the violations that the schema of the body found. */
export function withItems(
  violations: readonly Violation[],
  validated: readonly ValidatedValues[],
): readonly Violation[] {
  if (violations.length === 0) return violations;
  const items = new Map(validated.flatMap((values) => [...values.items]));
  return violations.map((violation) => withItem(violation, items));
}

/** Validates the form values of one owner and writes nothing. The owner may be a draft, or may not exist. */
export async function validateOwner(
  transaction: Transaction,
  validation: OwnersValidation,
  owner: OwnerValues,
): Promise<ValidatedValues> {
  const [validated] = await validateOwners(transaction, validation, [owner]);
  if (!validated) throw new Error('the validation of the form values of one owner returned no result');
  return validated;
}
