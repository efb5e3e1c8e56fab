import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type ReadSettings } from './representation-sql.js';

const known = new Map<string, boolean>();

/**
 * True when a datapath that starts at the type can lead to a limited value: readers who lack a further scope get null
 * instead.
 */
export function reachesLimitedValues(type: ObjectType): boolean {
  const found = known.get(type.name) ?? hasPath(type);
  known.set(type.name, found);
  return found;
}

function hasPath(start: ObjectType): boolean {
  const types = new Map([[start.name, start]]);
  for (const { relations } of types.values())
    for (const { target } of Object.values(relations)) types.set(target, getObjectType(target));
  return [...types.values()].some(({ attributes }) =>
    Object.values(attributes).some(({ needsFurtherScopes }) => needsFurtherScopes),
  );
}

/** Returns the settings of a reader who may see all values, such as the service itself. */
export function withAllValues<Settings extends ReadSettings>(settings: Settings): Settings {
  const { readable: _, ...others } = settings;
  return others as Settings;
}
