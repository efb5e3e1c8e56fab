import { readPast } from '@ats/datapath';
import { type ObjectType } from '../vocabulary/object-type.js';
import { getObjectType } from './object-model.js';

/**
 * True when the value of a datapath is personal data. A datapath with a name that the model no longer has counts as
 * personal, because it may have been.
 * @param datapath  including the name of its root
 */
export function isPersonal(datapath: string): boolean {
  const name = datapath.slice(datapath.lastIndexOf('.') + 1);
  return readDatapathOwner(datapath)?.attributes[name]?.personal ?? true;
}

/**
 * True when the value that a snapshot stores under a text is personal data. The text is a datapath or a call of WAS.
 * The result of CHANGED is never personal.
 */
export function isPersonalValue(text: string): boolean {
  const past = readPast(text);
  return past ? past.call === 'WAS' && isPersonal(past.datapath) : isPersonal(text);
}

/**
 * Returns the type of the object that has the attribute at the end of a datapath. Undefined when the model lacks one of
 * the names.
 * @param datapath  including the name of its root
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
