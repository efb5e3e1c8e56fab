import { parseDatapath } from '@ats/datapath';
import { DATAPATH_SYNTAX, type FormDataIndex, formDataOf } from '../vocabulary/form-data.js';
import { placeKey } from '../reading/form-value.js';
import { type FormOwner, formValuesTable, formValueType } from '../objects/form-value.model.js';
import { ITEM_TYPES } from '../objects/form.model.js';
import { formatValue, type ReadSettings, sqlSettings } from '../reading/representation-sql.js';

/**
 * True for the datapath of a form value of the root object itself, such as `application.formdata.7` with the root
 * `application`.
 */
export const isOwnFormValue = (root: string, datapath: string): boolean => datapath.startsWith(`${root}.formdata.`);

/**
 * The form values of one object. The key is `<item id>:<section instance>:<form instance>`. Null for an object without
 * form values.
 */
export type OwnFormValues = Readonly<Record<string, unknown>> | null;

export const ownFormValue = (values: OwnFormValues, datapath: string): unknown => values?.[keyOf(datapath)] ?? null;

/** Returns the item ids in datapaths of form values. */
export const itemIdsOf = (datapaths: readonly string[]): readonly number[] => [
  ...new Set(datapaths.map((datapath) => Number(placeOf(datapath)?.item))),
];

const placeOf = (datapath: string): FormDataIndex | undefined => formDataOf(parseDatapath(datapath, DATAPATH_SYNTAX));

function keyOf(datapath: string): string {
  const { item, section = 1, form = 1 } = placeOf(datapath) ?? {};
  return placeKey({ item_id: Number(item), section_instance: section, form_instance: form });
}

/**
 * SQL for the form values of the object `alias`, as one JSON object. Reading hundreds of values takes little longer
 * than reading one. A join for each value would cost a look-up and planning time each.
 * @param itemIds  the placeholder of the parameter with the item ids
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
  const place = `v.item_id || ':' || v.section_instance || ':' || v.form_instance`;
  return `(SELECT json_object_agg(${place}, coalesce(${[...columns].join(', ')}))
    FROM ${formValuesTable(root)} v WHERE v.owner_id = ${alias}.id AND v.item_id = ANY(${itemIds}))`;
}
