import { type AttributePlace } from '@ats/datapath';
import { type Attribute } from '../vocabulary/attribute.js';
import { getObjectType } from './object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** The attribute at the end of a datapath. */
export interface DatapathEnd {
  readonly attribute: Attribute;
  /** The type of the object that has the attribute. */
  readonly owner: ObjectType;
  /** True when the datapath passes a to-many relation. */
  readonly isThroughMany: boolean;
  /** The name and the object type of the attribute, and the last relation before it in the datapath. */
  readonly place: AttributePlace;
}

/**
 * Finds the attribute at the end of a datapath.
 * @param datapath  without the root's name. It must come from the program, or have been resolved before
 * @throws {Error} when the model does not know the datapath
 */
export function attributeAt(root: ObjectType, datapath: string): DatapathEnd {
  const names = datapath.split('.');
  let owner = root;
  let through: AttributePlace['through'];
  let isThroughMany = false;
  for (const name of names.slice(0, -1)) {
    const relation = owner.relations[name];
    if (!relation) throw new Error(`the object type ${owner.name} has no relation ${name}`);
    isThroughMany ||= relation.many;
    through = { owner: owner.name, relation: name };
    owner = getObjectType(relation.target);
  }
  const name = names.at(-1) ?? '';
  const attribute = owner.attributes[name];
  if (!attribute) throw new Error(`the object type ${root.name} has no datapath ${datapath}`);
  return { attribute, owner, isThroughMany, place: { owner: owner.name, name, ...(through && { through }) } };
}
