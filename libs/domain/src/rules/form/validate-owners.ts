import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { MAX_FAULTS, type ValidationFault } from '../../vocabulary/validation-error.js';
import { conditionsContext } from './form-conditions.js';
import { lockFormsOf } from './form-definition.js';
import { formValuesTable, type FormOwner } from '../../objects/form-value.model.js';
import { groupBy } from './group-by.js';
import { ValidatedValues, type OwnerValues } from './validate-form-values.js';
import { Patterns } from './pattern.js';
import { readValueRows } from './read-form-values.js';

export interface OwnersValidation {
  /** The collection that the values are of. */
  readonly resource: Resource;
  readonly settings: ReadSettings;
  /** Of each object that is there, the opportunity that it is or is for; undefined when that is not known. */
  readonly opportunities: ReadonlyMap<number, number | undefined>;
  /** Datapaths that say nothing of what the objects will be. */
  readonly isUnknown?: (datapath: string) => boolean;
}

/**
 * What a write does to each of some objects, and what is wrong with it; of those that are not there, what can be told. Judged
 * are all of them, or the first ones with more faults than one answer tells.
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
    const facts = context.facts.get(owner.id);
    const factOf = (datapath: string): unknown => {
      if (!facts || isUnknown?.(datapath)) throw new Error('what the object will say there cannot be known');
      return facts[datapath];
    };
    const known = opportunities.has(owner.id) ? (before.get(owner.id) ?? []) : undefined;
    return new ValidatedValues(owner, {
      resource: resource.name,
      opportunityId: opportunities.get(owner.id),
      formOf,
      before: known,
      context,
      patterns,
      factOf,
    });
  };
  const judged: ValidatedValues[] = [];
  let faults = 0;
  for (const owner of owners) {
    const values = validate(owner);
    judged.push(values);
    faults += values.faults.length;
    if (faults > MAX_FAULTS) break;
    await letOthersRun();
  }
  return judged;
}

const itemIdsOf = (owners: readonly OwnerValues[]): number[] => [
  ...new Set(owners.flatMap(({ given }) => given.map(({ item_id }) => item_id))),
];

/**
 * What is wrong with values that come along with an object, when something else is wrong with the request: nothing is written.
 * @param owner  its id may be that of a draft, or of nothing
 */
export async function formValuesFaults(
  transaction: Transaction,
  judging: OwnersValidation,
  owner: OwnerValues,
): Promise<readonly ValidationFault[]> {
  return (await validateOwners(transaction, judging, [owner])).flatMap(({ faults }) => faults);
}
