import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { MAX_VIOLATIONS, type Violation } from '../../vocabulary/validation-error.js';
import { conditionsContext } from './form-conditions.js';
import { lockFormsOf } from './form-definition.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';
import { groupBy } from './group-by.js';
import { ValidatedValues, type OwnerValues } from './validate-form-values.js';
import { Patterns } from './pattern.js';
import { readValueRows } from './read-form-values.js';

export interface OwnersValidation {
  /** The collection of the owners. */
  readonly resource: Resource;
  readonly settings: ReadSettings;
  /**
   * The opportunity id by owner id. A vacancy or event maps to its own id, an application to the id of its opportunity,
   * or to undefined when that is unknown. Missing owners are absent.
   */
  readonly opportunities: ReadonlyMap<number, number | undefined>;
  /** True for datapaths whose value after the request is unknown. */
  readonly isUnknown?: (datapath: string) => boolean;
}

/**
 * Validates the values of several owners. Owners that do not exist are validated as far as possible. Stops after more
 * violations than one answer lists.
 */
export async function validateOwners(
  transaction: Transaction,
  { resource, settings, opportunities, isUnknown }: OwnersValidation,
  owners: readonly OwnerValues[],
): Promise<readonly ValidatedValues[]> {
  const root = resource.type.name as FormOwner;
  const ids = [...opportunities.keys()];
  const forms = await lockFormsOf(transaction, itemIdsOf(owners));
  const before = groupBy(await readValueRows(transaction, formValuesTable(root), ids), ({ owner_id }) => owner_id);
  const context = await conditionsContext(transaction, { root, forms, ids, settings });
  const formOf = new Map(forms.flatMap((form) => form.items.map(({ id }) => [id, form] as const)));
  const patterns = new Patterns();
  const validate = (owner: OwnerValues): ValidatedValues => {
    const values = context.values.get(owner.id);
    const objectValueOf = (datapath: string): unknown => {
      if (!values || isUnknown?.(datapath)) throw new Error(`the value of ${datapath} is unknown`);
      return values[datapath];
    };
    const known = opportunities.has(owner.id) ? (before.get(owner.id) ?? []) : undefined;
    return new ValidatedValues(owner, {
      resource: resource.name,
      opportunityId: opportunities.get(owner.id),
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

const itemIdsOf = (owners: readonly OwnerValues[]): number[] => [
  ...new Set(owners.flatMap(({ given }) => given.map(({ item_id }) => item_id))),
];

/**
 * Validates the form values of a request that also writes the owner, such as creating an application. Returns their
 * violations and writes nothing. Other parts of the request may be invalid.
 * @param owner  may have the id of a draft, or of an object that does not exist
 */
export async function formValuesViolations(
  transaction: Transaction,
  validation: OwnersValidation,
  owner: OwnerValues,
): Promise<readonly Violation[]> {
  return (await validateOwners(transaction, validation, [owner])).flatMap(({ violations }) => violations);
}
