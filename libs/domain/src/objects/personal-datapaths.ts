import { getObjectType } from './object-model.js';

/** Whether a datapath with its root in front ends on an attribute that says something about a person. */
export function isPersonal(datapath: string): boolean {
  const [root, ...names] = datapath.split('.');
  let type = getObjectType(root ?? '');
  for (const name of names) {
    const attribute = type.attributes[name];
    if (attribute) return attribute.personal;
    const relation = type.relations[name];
    // What the model no longer knows may have been anything.
    if (!relation) return true;
    type = getObjectType(relation.target);
  }
  return true;
}
