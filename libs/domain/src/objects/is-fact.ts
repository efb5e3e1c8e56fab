import { type ObjectType } from '../vocabulary/object-type.js';
import { getObjectType } from './object-model.js';

/**
 * True when snapshots of events can store the value at a datapath.
 * @param root  name of the object type where the datapath starts
 * @param datapath  without the root's name
 */
export function isFact(root: string, datapath: string): boolean {
  let type: ObjectType = getObjectType(root);
  for (const name of datapath.split('.')) {
    if (type.attributes[name]?.inFacts === false || type.relations[name]?.inFacts === false) return false;
    const relation = type.relations[name];
    if (!relation) return true;
    type = getObjectType(relation.target);
  }
  return true;
}
