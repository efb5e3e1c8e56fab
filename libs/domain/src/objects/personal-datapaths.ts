import { readPast } from '@ats/datapath';
import { type ObjectType } from '../vocabulary/object-type.js';
import { getObjectType } from './object-model.js';

/**
 * True when the value of a datapath is personal data. A datapath with a name that the model no longer has may have been
 * personal, so it counts as personal.
 * @param datapath  with the name of its root in front
 */
export function isPersonal(datapath: string): boolean {
  const name = datapath.slice(datapath.lastIndexOf('.') + 1);
  return readDatapathOwner(datapath)?.attributes[name]?.personal ?? true;
}

/**
 * True when the value that a snapshot stores for a text is personal data: the value of a datapath, or the result of WAS.
 * The result of CHANGED is never personal.
 */
export function isPersonalValue(text: string): boolean {
  const past = readPast(text);
  return past ? past.call === 'WAS' && isPersonal(past.datapath) : isPersonal(text);
}

/**
 * Returns the type of the object whose attribute a datapath ends with. Undefined when the model lacks one of the names.
 * @param datapath  with the name of its root in front
 */
export function readDatapathOwner(datapath: string): ObjectType | undefined {
  const [root = '', ...names] = datapath.split('.');
  let type = getObjectType(root);
  for (const name of names) {
    if (type.attributes[name]) return type;
    const relation = type.relations[name];
    if (!relation) return undefined;
    type = getObjectType(relation.target);
  }
  return undefined;
}
