import { getObjectType } from './object-model.js';
import { representationOf } from './representation.js';

/**
 * The scopes that a credential needs to use a datapath, wherever it stands. What the root's own representation shows needs
 * the root's read scopes alone; one that goes further needs those of every resource it goes through as well: nothing may
 * be found out by asking whether it matches.
 * @param root      name of the object type that the datapath starts from
 * @param datapath  without the root's name; must be known to the model
 * Source: CONTRACT.md 2.
 */
export function requiredScopes(root: string, datapath: string): readonly string[] {
  let type = getObjectType(root);
  const resources = new Set(type.scopes);
  if (!representationOf(type).some((field) => field.datapath === datapath)) {
    for (const name of datapath.split('.').slice(0, -1)) {
      const relation = type.relations[name];
      if (!relation) break;
      type = getObjectType(relation.target);
      for (const resource of type.scopes) resources.add(resource);
    }
  }
  return [...resources].map((resource) => `${resource}:read`);
}
