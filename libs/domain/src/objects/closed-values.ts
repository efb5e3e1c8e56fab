import { type AttributePlace } from '@ats/datapath';
import { type Attribute } from '../vocabulary/attribute.js';
import { getObjectType } from './object-model.js';

/**
 * Returns the closed list of an attribute when the object model has it. Undefined when the attribute accepts every
 * value, and for a list that consists of table rows.
 */
export const describedValues = ({ values, listed }: Attribute): readonly string[] | undefined =>
  values ?? (typeof listed === 'function' ? listed() : undefined);

/**
 * Returns the documented values of a list that consists of table rows. The relation that leads to the attribute may
 * have fewer of them. Undefined for other attributes.
 */
export function knownValuesAt({ owner, name, through }: AttributePlace): readonly string[] | undefined {
  const behind = through && getObjectType(through.owner).relations[through.relation]?.known?.[name];
  return behind ?? getObjectType(owner).attributes[name]?.known;
}
