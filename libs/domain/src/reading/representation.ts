import { type Attribute, isFilterable } from '../vocabulary/attribute.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { isList, type Relation } from '../vocabulary/relation.js';

/** One field of a representation, with the datapath of its value. Clients see only values that a field shows. */
export interface RepresentationField {
  /** JSON pointer (RFC 6901); `*` stands for each element of a list. */
  readonly pointer: string;
  /** Datapath of the value, without the name of the resource's object type. */
  readonly datapath: string;
  /** True when the `filter` parameter searches this field. */
  readonly filterable: boolean;
  /** The object that contains the field is shown as null when the value at this datapath is null. */
  readonly presentIf?: string;
  /** True when the field is absent from pages of a collection. */
  readonly onlyInItems?: true;
}

const known = new WeakMap<ObjectType, readonly RepresentationField[]>();

/** Derives the representation of an object type from its description. */
export function representationOf(type: ObjectType): readonly RepresentationField[] {
  const fields = known.get(type) ?? deriveFields(type);
  known.set(type, fields);
  return fields;
}

function deriveFields(type: ObjectType): readonly RepresentationField[] {
  return Object.entries(type.properties).flatMap(([name, property]): RepresentationField[] => {
    if (property.kind === 'relation') return relationFields(name, property);
    return property.shown
      ? [{ pointer: `/${name}`, datapath: name, filterable: isFilterable(name, property), ...placeOf(property) }]
      : [];
  });
}

/** Returns the fields whose values come from settings. Clients can search them although no row stores them. */
export const settingsFields = ({ fromSettings }: ObjectType): readonly RepresentationField[] =>
  Object.entries(fromSettings).flatMap(([name, { fields = {} }]) =>
    Object.entries(fields).map(([pointer, datapath]) => ({
      pointer: `/${name}/${pointer}`,
      datapath,
      filterable: true,
    })),
  );

const placeOf = ({
  onlyInItems,
}: Pick<Attribute | Relation, 'onlyInItems'>): Pick<RepresentationField, 'onlyInItems'> =>
  onlyInItems ? { onlyInItems } : {};

function relationFields(name: string, relation: Relation): RepresentationField[] {
  const { shows, pointer, many, nullable } = relation;
  const target = getObjectType(relation.target);
  const below = many ? `/${pointer}/*` : `/${pointer}`;
  if (!isList(shows)) {
    return Object.entries(shows).map(([below, datapath]) => ({
      pointer: `/${pointer}/${below}`,
      datapath,
      filterable: false,
      ...placeOf(relation),
    }));
  }
  return shows.flatMap((shown): RepresentationField[] => {
    const field = shown.replace(/\*$/, '');
    const further = target.relations[field];
    if (further) return relationFields(field, further).map((inner) => belowRelation(inner, { name, pointer: below }));
    const element = many ? target.attributes[field] : undefined;
    const presentIf = nullable && { presentIf: `${name}.${relation.presentIf ?? shows[0] ?? ''}` };
    return [
      {
        pointer: `${below}/${field}`,
        datapath: `${name}.${field}`,
        filterable: element ? isFilterable(field, element) : field !== shown,
        ...presentIf,
        ...(element && placeOf(element)),
        ...placeOf(relation),
      },
    ];
  });
}

/**
 * Puts the pointer and the datapath of a relation in front of the pointer and the datapath of a field of the related
 * object.
 */
const belowRelation = (
  field: RepresentationField,
  { name, pointer }: { readonly name: string; readonly pointer: string },
): RepresentationField => ({
  ...field,
  pointer: `${pointer}${field.pointer}`,
  datapath: `${name}.${field.datapath}`,
  ...(field.presentIf && { presentIf: `${name}.${field.presentIf}` }),
});
