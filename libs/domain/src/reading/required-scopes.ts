import { getObjectType } from '../objects/object-model.js';
import { representationOf } from './representation.js';
import { type Resource } from '../vocabulary/resource.js';

/**
 * Returns the scopes that a credential needs to use a datapath in a search, a layout or an expression. A datapath that
 * the root's representation shows needs only the root's read scopes. Any other datapath also needs the read scopes
 * of every resource that it passes. Otherwise a client could find out hidden values by searching for them.
 * @param root      name of the object type where the datapath starts
 * @param datapath  without the root's name; the model must know it
 * @param leadsTo   more specific target types of the root's relations, see `Resource.leadsTo`
 * Source: docs/reference/authentication.md, docs/reference/datapaths.md.
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
