import { type Attribute } from './attribute.js';
import { getObjectType } from './object-model.js';
import { type ObjectType } from './object-type.js';
import { type Relation } from './relation.js';

/** One place of a representation and the datapath that fills it. What is not in the list does not get out. */
export interface RepresentationField {
  /** JSON pointer (RFC 6901); `*` stands for each element of a list. */
  readonly pointer: string;
  /** From the resource's object type, without its name. */
  readonly datapath: string;
  /** Searched by the `filter` parameter. */
  readonly filterable: boolean;
  /** The object that holds this field is null when the value at this datapath is. */
  readonly presentIf?: string;
}

/** The representation of an object type, derived from its description. Adding a field there is all there is to it. */
export function representationOf(type: ObjectType): readonly RepresentationField[] {
  return Object.entries(type.properties).flatMap(([name, property]): RepresentationField[] => {
    if (property.kind === 'relation') return relationFields(name, property);
    return property.shown ? [{ pointer: `/${name}`, datapath: name, filterable: isFilterable(name, property) }] : [];
  });
}

/**
 * Texts and dates, but what no person would look for. Of referenced objects only what their description marks; the elements of
 * a list belong to the representation itself. Source: CONTRACT.md 4, `filter`.
 */
const isFilterable = (name: string, { type }: Attribute): boolean =>
  ['text', 'rich_text', 'date'].includes(type) && name !== 'url' && name !== 'uuid';

function relationFields(name: string, relation: Relation): RepresentationField[] {
  const { shows, pointer, many, nullable } = relation;
  const elements = many ? getObjectType(relation.target).attributes : {};
  if (!isList(shows)) {
    return Object.entries(shows).map(([below, datapath]) => ({ pointer: `/${pointer}/${below}`, datapath, filterable: false }));
  }
  return shows.map((shown) => {
    const field = shown.replace(/\*$/, '');
    const element = elements[field];
    return {
      pointer: many ? `/${pointer}/*/${field}` : `/${pointer}/${field}`,
      datapath: `${name}.${field}`,
      filterable: element ? isFilterable(field, element) : field !== shown,
      ...(nullable && { presentIf: `${name}.${shows[0] ?? ''}` }),
    };
  });
}

const isList = (shows: Relation['shows']): shows is readonly string[] => Array.isArray(shows);
