import { parseDatapath } from '@ats/datapath';
import { placeKey } from '../reading/form-value.js';
import { type FormOwner, formValuesTable, formValueType } from '../objects/form-value.model.js';
import { ITEM_TYPES } from '../objects/form.model.js';
import { formatValue, type ReadSettings, sqlSettings } from '../reading/representation-sql.js';

/** Whether a datapath, its root included, is of a value in a form of the root itself. */
export const isOwnFormValue = (root: string, datapath: string): boolean => datapath.startsWith(`${root}.formdata.`);

/** The values of an object by their places, as JSON names them. */
export type OwnFormValues = Readonly<Record<string, unknown>> | null;

export const ownFormValue = (values: OwnFormValues, datapath: string): unknown => values?.[keyOf(datapath)] ?? null;

/** The items that datapaths of such values name. */
export const itemIdsOf = (datapaths: readonly string[]): readonly number[] => [
  ...new Set(datapaths.map((datapath) => Number(parseDatapath(datapath).formData?.item))),
];

function keyOf(datapath: string): string {
  const { item, section = 1, form = 1 } = parseDatapath(datapath).formData ?? {};
  return placeKey({ item_id: Number(item), section_instance: section, form_instance: form });
}

/**
 * The values that the object `alias` has for the items in a parameter, as one JSON object: hundreds of them cost hardly more
 * than one, where each by a join of its own would cost a lookup and a part of the plan.
 */
export function ownFormValuesSql(
  root: FormOwner,
  { alias, itemIds, settings }: { readonly alias: string; readonly itemIds: string; readonly settings: ReadSettings },
): string {
  const columns = new Set(
    ITEM_TYPES.flatMap((type) => {
      const { value } = formValueType(root, type).attributes;
      return value ? [`to_json(${formatValue(value.sql('v', sqlSettings(settings)), value)})`] : [];
    }),
  );
  return `(SELECT json_object_agg(v.item_id || ':' || v.section_instance || ':' || v.form_instance, coalesce(${[...columns].join(', ')}))
    FROM ${formValuesTable(root)} v WHERE v.owner_id = ${alias}.id AND v.item_id = ANY(${itemIds}))`;
}
