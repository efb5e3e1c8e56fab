import { runStatement, type Transaction } from '@ats/postgres';
import { runIn } from '../../reading/run-query.js';
import { readDatapathsOfMany, type DatapathValues } from '../../facts/read-datapaths.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type FormDefinition } from './form-definition.js';
import { modelForTexts } from '../../facts/form-items.js';
import { FormVisibility } from './form-visibility.js';
import { FORM_ROOTS } from '../../objects/form.model.js';
import { type FormOwner } from '../../objects/form-value.model.js';

export interface ConditionsContext {
  readonly now: Date;
  readonly timeZone: string;
  /** Maps the id of each form to its compiled conditions. */
  readonly visibility: ReadonlyMap<number, FormVisibility>;
  /** Maps the id of each object to the values that conditions read, except the object's own form values. */
  readonly values: ReadonlyMap<number, DatapathValues>;
}

export interface ConditionsOf {
  readonly root: FormOwner;
  readonly forms: readonly FormDefinition[];
  readonly ids: readonly number[];
  readonly settings: ReadSettings;
}

/** Compiles the conditions of forms. Reads the values that they need, for all given objects in one statement. */
export async function conditionsContext(
  transaction: Transaction,
  { root, forms, ids, settings }: ConditionsOf,
): Promise<ConditionsContext> {
  const run = runIn(transaction);
  const texts = forms.flatMap(({ items }) =>
    items.flatMap(({ visible_if }) => (visible_if === null ? [] : [visible_if])),
  );
  const model = await modelForTexts(run, texts);
  const visibility = new Map(forms.map((form) => [form.id, new FormVisibility(form, model)]));
  const datapaths = [
    ...new Set(forms.filter(isForRoot(root)).flatMap(({ id }) => visibility.get(id)?.datapaths ?? [])),
  ];
  const [system] = await runStatement<{ now: Date; timezone: string }>(
    transaction,
    'SELECT now() AS now, timezone FROM systems ORDER BY id LIMIT 1',
  );
  return {
    now: system?.now ?? new Date(NaN),
    timeZone: system?.timezone ?? 'UTC',
    visibility,
    values:
      datapaths.length > 0
        ? await readDatapathsOfMany(run, { type: root, ids }, { datapaths, model, settings })
        : new Map<number, DatapathValues>(),
  };
}

/**
 * True when the form belongs to the kind of object that `root` names. Form values of other forms are violations, and
 * the conditions of other forms are not evaluated.
 */
const isForRoot =
  (root: FormOwner) =>
  ({ resource }: FormDefinition): boolean =>
    FORM_ROOTS[resource] === root;
