import { type ObjectType } from '../vocabulary/object-type.js';
import { isList } from '../vocabulary/relation.js';

/**
 * Maps the name of each writable property that the representation shows elsewhere to the names that lead to it there.
 * For example, `opportunity_id` is shown at `opportunity`, `id`.
 */
export function shownPlaces({ properties }: ObjectType): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const [name, property] of Object.entries(properties)) {
    if (!property.write) continue;
    if (property.kind === 'attribute') {
      if (property.shownAt) places.set(name, property.shownAt);
    } else if (!property.many && isList(property.shows) && property.shows.includes('id')) {
      places.set(`${name}_id`, [property.pointer, 'id']);
    }
  }
  return places;
}
