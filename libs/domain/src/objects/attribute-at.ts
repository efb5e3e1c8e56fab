import { type Attribute } from '../vocabulary/attribute.js';
import { getObjectType } from './object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** Where a datapath ends. */
export interface DatapathEnd {
  readonly attribute: Attribute;
  /** The type of the object that has the attribute. */
  readonly owner: ObjectType;
  /** A relation on the way leads to many. */
  readonly isThroughMany: boolean;
}

/**
 * The attribute that a datapath ends on.
 * @param datapath  from the root, without its name
 * @throws {Error} when the model does not know it: datapaths come from the program, or have been resolved
 */
export function attributeAt(root: ObjectType, datapath: string): DatapathEnd {
  const names = datapath.split('.');
  let owner = root;
  let isThroughMany = false;
  for (const name of names.slice(0, -1)) {
    const relation = owner.relations[name];
    if (!relation) throw new Error(`${owner.name} has no relation ${name}`);
    isThroughMany ||= relation.many;
    owner = getObjectType(relation.target);
  }
  const attribute = owner.attributes[names.at(-1) ?? ''];
  if (!attribute) throw new Error(`${root.name} has no datapath ${datapath}`);
  return { attribute, owner, isThroughMany };
}
