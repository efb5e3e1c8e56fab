import { type DomainModel, objectModel } from '../objects/object-model.js';
import { type RunQuery } from '../reading/run-query.js';
import { FORM_ROOTS, type FormResource, type ItemType } from '../objects/form.model.js';
import { formValueRelation, formValueType, isOwnedBy } from '../objects/form-value.model.js';

/** What conditions need to know of a form item. */
export interface KnownItem {
  readonly id: number;
  readonly type: ItemType;
  readonly resource: FormResource;
}

const NAMED = /\bformdata\.(\d{1,15})(?!\w)/g;

/**
 * The object model with the form items that some texts name: datapaths, search parameters, expressions. Items are rows, and
 * any process may write them: they are looked up each time, and never remembered. Without a name it costs nothing.
 */
export async function modelForTexts(run: RunQuery, texts: readonly string[]): Promise<DomainModel> {
  const ids = new Set(texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, id]) => Number(id))));
  if (ids.size === 0) return objectModel;
  return modelWithItems(await readItems(run, [...ids]));
}

async function readItems(run: RunQuery, ids: readonly number[]): Promise<ReadonlyMap<string, KnownItem>> {
  const rows = await run(
    `SELECT i.id, i.type, f.resource FROM form_items i JOIN form_sections s ON s.id = i.section_id JOIN forms f ON f.id = s.form_id
     WHERE i.id = ANY($1)`,
    [ids],
  );
  return new Map((rows as unknown as KnownItem[]).map((item) => [String(item.id), item]));
}

/** The object model with some form items, by the names that datapaths call them. */
export function modelWithItems(items: ReadonlyMap<string, KnownItem>): DomainModel {
  const find = (owner: string, name: string): KnownItem | undefined => {
    const item = items.get(name);
    return item && isOwnedBy(owner, FORM_ROOTS[item.resource]) ? item : undefined;
  };
  return {
    ...objectModel,
    formItem(owner, name) {
      const item = find(owner, name);
      return item && formValueType(owner, item.type).attributes['value'];
    },
    formRelation(owner, index) {
      const item = find(owner, index.item);
      const relation = formValueRelation(owner, index);
      return item && relation && { ...relation, target: formValueType(owner, item.type).name };
    },
  };
}

/** The same model, in which objects of a type have items called by the keys of a form as well. */
export function modelWithKeys(model: DomainModel, owner: string, types: ReadonlyMap<string, ItemType>): DomainModel {
  return {
    ...model,
    formItem(of, name) {
      const type = of === owner ? types.get(name) : undefined;
      return type ? formValueType(owner, type).attributes['value'] : model.formItem?.(of, name);
    },
  };
}
