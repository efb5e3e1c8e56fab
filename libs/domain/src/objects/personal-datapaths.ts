import { getObjectType } from './object-model.js';

/**
 * True when the value of a datapath is personal data.
 * @param datapath  with the name of its root in front
 */
export function isPersonal(datapath: string): boolean {
  const [root, ...names] = datapath.split('.');
  let type = getObjectType(root ?? '');
  for (const name of names) {
    const attribute = type.attributes[name];
    if (attribute) return attribute.personal;
    const relation = type.relations[name];
    // The model no longer has this name. The datapath may have been personal, so it counts as personal.
    if (!relation) return true;
    type = getObjectType(relation.target);
  }
  return true;
}
