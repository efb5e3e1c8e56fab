import { type AttributePlace } from '@ats/datapath';
import { type Attribute } from '../vocabulary/attribute.js';
import { getObjectType } from './object-model.js';

/** Returns the closed list of an attribute. Undefined when the attribute accepts every value. */
export const describedValues = ({ values, listed }: Attribute): readonly string[] | undefined => values ?? listed?.();

/**
 * Returns the closed list of the attribute at the end of a datapath. The last relation of the datapath may have a
 * shorter list than the attribute itself.
 */
export function closedValuesAt({ owner, name, through }: AttributePlace): readonly string[] | undefined {
  const shorter = through && getObjectType(through.owner).relations[through.relation]?.values?.[name];
  const attribute = getObjectType(owner).attributes[name];
  return shorter ?? (attribute && describedValues(attribute));
}
