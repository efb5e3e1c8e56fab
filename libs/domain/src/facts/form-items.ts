import { type DomainModel, getObjectType, objectModel } from '../objects/object-model.js';
import { representationOf } from '../reading/representation.js';
import { type RunQuery } from '../reading/run-query.js';
import { FORM_ROOTS, type FormResource, type ItemType } from '../objects/form.model.js';
import { formDataIndex } from '../vocabulary/form-data.js';
import { formValueRelation, formValueType, isOwnedBy } from '../objects/form-value.model.js';

/** The properties of a form item that an object model needs. */
export interface KnownItem {
  readonly id: number;
  readonly type: ItemType;
  readonly resource: FormResource;
}

/** The object model with the names that representations show. Violations suggest these names. */
const namedModel: DomainModel = {
  ...objectModel,
  representation: (name) => representationOf(getObjectType(name)),
};

const NAMED = /\bformdata\.(\d{1,15})(?!\w)/g;

/**
 * Returns the object model with the form items that the texts name. A text is a datapath, a search parameter or an
 * expression. Each call reads the items from the database, because any process may change them. No SQL runs when the
 * texts name no item.
 */
export async function modelForTexts(run: RunQuery, texts: readonly string[]): Promise<DomainModel> {
  const ids = new Set(texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, id]) => Number(id))));
  if (ids.size === 0) return namedModel;
  return modelWithItems(await readItems(run, [...ids]));
}

async function readItems(run: RunQuery, ids: readonly number[]): Promise<ReadonlyMap<string, KnownItem>> {
  const rows = await run(
    `SELECT i.id, i.type, f.resource
     FROM form_items i JOIN form_sections s ON s.id = i.section_id JOIN forms f ON f.id = s.form_id
     WHERE i.id = ANY($1)`,
    [ids],
  );
  return new Map((rows as unknown as KnownItem[]).map((item) => [String(item.id), item]));
}

/**
 * Returns the object model with the given form items.
 * @param items  maps an item id, as text, to the form item
 */
export function modelWithItems(items: ReadonlyMap<string, KnownItem>): DomainModel {
  const find = (owner: string, name: string): KnownItem | undefined => {
    const item = items.get(name);
    return item && isOwnedBy(owner, FORM_ROOTS[item.resource]) ? item : undefined;
  };
  return {
    ...namedModel,
    keyedValue(owner, { parts: [name = ''] }) {
      const item = find(owner, name);
      return item && formValueType(owner, item.type).attributes['value'];
    },
    keyedRelation(owner, key) {
      const index = formDataIndex(key);
      const item = find(owner, index.item);
      const relation = formValueRelation(owner, index);
      return item && relation && { ...relation, target: formValueType(owner, item.type).name };
    },
  };
}

/**
 * Adds to a model the form items that datapaths name by key instead of by id: `formdata.<key>` of the object type
 * `owner`.
 * @param types  maps each key to the type of its item
 */
export function modelWithKeys(model: DomainModel, owner: string, types: ReadonlyMap<string, ItemType>): DomainModel {
  return {
    ...model,
    keyedValue(of, key) {
      const type = of === owner ? types.get(key.parts[0] ?? '') : undefined;
      return type ? formValueType(owner, type).attributes['value'] : model.keyedValue?.(of, key);
    },
  };
}
