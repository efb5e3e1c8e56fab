import { getObjectType } from '../objects/object-model.js';
import { representationOf } from './representation.js';
import { type Resource } from '../vocabulary/resource.js';

/**
 * The scopes that a credential needs to use a datapath, wherever it stands. What the root's own representation shows needs
 * the root's read scopes alone; one that goes further needs those of every resource it goes through as well: nothing may
 * be found out by asking whether it matches.
 * @param root      name of the object type that the datapath starts from
 * @param datapath  without the root's name; must be known to the model
 * @param leadsTo   types that relations of the root lead to in one of its collections, where that is less than in general
 * Source: CONTRACT.md 2.
 */
export function requiredScopes(root: string, datapath: string, leadsTo: Resource['leadsTo'] = {}): readonly string[] {
  let type = getObjectType(root);
  const resources = new Set(type.scopes);
  if (!representationOf(type).some((field) => field.datapath === datapath)) {
    for (const [index, name] of datapath.split('.').slice(0, -1).entries()) {
      const relation = type.relations[name];
      if (!relation) break;
      type = getObjectType(relation.target);
      const narrower = index === 0 ? leadsTo[name] : undefined;
      for (const resource of (narrower === undefined ? type : getObjectType(narrower)).scopes) resources.add(resource);
    }
  }
  return [...resources].map((resource) => `${resource}:read`);
}
