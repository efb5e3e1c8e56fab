import { isFact } from '../objects/is-fact.js';
import { type DomainModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/**
 * Returns the model of the values that snapshots of events can store. Expressions of topics can name no other values.
 * Source: docs/reference/notifications.md, "Snapshots".
 */
export function factsModel(model: DomainModel): DomainModel {
  return {
    ...model,
    type(name) {
      const type = model.type(name);
      return type && factsType(type);
    },
    // Violations suggest names from this list, so it has only the names that topics can use.
    representation: (name) => (model.representation?.(name) ?? []).filter(({ datapath }) => isFact(name, datapath)),
  };
}

const known = new WeakMap<ObjectType, ObjectType>();

function factsType(type: ObjectType): ObjectType {
  const found = known.get(type);
  if (found) return found;
  const inFacts = <Property extends { readonly inFacts: boolean }>(
    properties: Readonly<Record<string, Property>>,
  ): Readonly<Record<string, Property>> =>
    Object.fromEntries(Object.entries(properties).filter(([, property]) => property.inFacts));
  const limited = { ...type, attributes: inFacts(type.attributes), relations: inFacts(type.relations) };
  known.set(type, limited);
  return limited;
}
