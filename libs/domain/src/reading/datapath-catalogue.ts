import { DATAPATH_LIMITS } from '@ats/datapath';
import { type ItemType, FORM_ROOTS } from '../objects/form.model.js';
import { formValueType, isOwnedBy } from '../objects/form-value.model.js';
import { EVENT_ROOTS } from '../objects/event-types.js';
import { isFact } from '../objects/is-fact.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { FORM_DATA } from '../vocabulary/form-data.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { type Relation } from '../vocabulary/relation.js';
import { allResources, collectionNames } from '../vocabulary/resource.js';
import { representationOf } from './representation.js';
import { requiredScopes } from './required-scopes.js';

/** The features of the service that use datapaths. Source: docs/reference/datapaths.md, "Catalogue". */
export const DATAPATH_USES = ['search', 'sort', 'filter', 'expressions', 'layouts', 'templates'] as const;
export type DatapathUse = (typeof DATAPATH_USES)[number];

/** A form item that datapaths can name. */
export interface CatalogueItem {
  readonly id: number;
  readonly type: ItemType;
  readonly resource: keyof typeof FORM_ROOTS;
  /** The label of the item. Null when the client may not read forms. */
  readonly label: string | null;
  readonly values: readonly string[] | null;
}

/** One entry of the catalogue. The catalogue lists the datapaths that clients can use. */
export interface CatalogueEntry {
  /** The datapath, including the root. */
  readonly path: string;
  readonly root: string;
  /** The type of the value, `reference` for a related object, or `formdata` for the values of forms. */
  readonly type: string;
  readonly is_many: boolean;
  /** The object type of a related object, else null. */
  readonly target: string | null;
  readonly label: string | null;
  readonly description: string | null;
  readonly scopes: readonly string[];
  readonly used_in: readonly DatapathUse[];
  /** All values that the datapath can have; null when they are not limited. */
  readonly values: readonly string[] | null;
}

/** Maximum number of relations that a search by text follows, counted from the end of the prefix. */
const SEARCHED_RELATIONS = 3;

const expressionRoots = (): readonly string[] => [...Object.values(EVENT_ROOTS), ...Object.values(FORM_ROOTS)];

/** The object types with which datapaths begin, sorted by name. */
export const datapathRoots = (): readonly string[] =>
  [...new Set([...allResources().map(({ type }) => type.name), ...expressionRoots()])].sort();

export interface CatalogueRequest {
  readonly root: string;
  /** The names after the root. The last one may be incomplete. */
  readonly prefix: readonly string[];
  /**
   * Text that the path or the label must contain. A search by text also follows up to three relations after the prefix.
   * Without a text, the list ends one name after the prefix.
   */
  readonly text?: string | undefined;
  readonly items: readonly CatalogueItem[];
}

/**
 * A point in the object model that the catalogue has reached from the root: an object type, and the names of the
 * relations that lead to it.
 */
interface Place {
  readonly type: ObjectType;
  readonly names: readonly string[];
  readonly isMany: boolean;
  /** The to-many relations on the way from the root. A datapath never follows a to-many relation twice. */
  readonly lists: readonly Relation[];
}

/**
 * Lists the datapaths that begin with a prefix. Without a text, the list ends one name after the prefix, so that it is
 * finite although relations form circles. A client expands one relation after the other.
 */
export function listDatapaths({ root, prefix, text, items }: CatalogueRequest): readonly CatalogueEntry[] {
  let place: Place = { type: getObjectType(root), names: [], isMany: false, lists: [] };
  for (const name of prefix.slice(0, -1)) {
    const next = follow(place, name);
    if (!next) return name === FORM_DATA ? itemsAt(root, place, { items, from: prefix.at(-1) ?? '' }) : [];
    place = next;
  }
  const last = prefix.at(-1) ?? '';
  const related = last === '' ? undefined : follow(place, last);
  const entries = [
    ...entriesAt(root, place, last),
    ...(last === FORM_DATA ? itemsAt(root, place, { items, from: '' }) : []),
    ...(related ? entriesAt(root, related, '') : []),
  ];
  if (text === undefined) return entries;
  const found = last === '' ? searched(root, place, items) : related ? searched(root, related, items) : [];
  const all = new Map([...entries, ...found].map((entry) => [entry.path, entry]));
  const wanted = text.toLowerCase();
  return [...all.values()].filter(({ path, label }) =>
    [path, label ?? ''].some((shown) => shown.toLowerCase().includes(wanted)),
  );
}

/**
 * Returns all entries that begin at `place` and follow at most three further relations. No entry passes an object type
 * twice.
 */
function searched(root: string, place: Place, items: readonly CatalogueItem[]): readonly CatalogueEntry[] {
  const below = (from: Place, seen: readonly string[], left: number): readonly CatalogueEntry[] => [
    ...entriesAt(root, from, ''),
    ...itemsAt(root, from, { items, from: '' }),
    ...(left === 0
      ? []
      : Object.keys(from.type.relations).flatMap((name) => {
          const next = follow(from, name);
          return next && !seen.includes(next.type.name) ? below(next, [...seen, next.type.name], left - 1) : [];
        })),
  ];
  return below(place, [root, place.type.name], SEARCHED_RELATIONS);
}

function follow({ type, names, isMany, lists }: Place, name: string): Place | undefined {
  const relation = Object.hasOwn(type.relations, name) ? type.relations[name] : undefined;
  // A datapath has two more names than relations: its root and its value. The limit counts all names.
  if (!relation || names.length + 2 >= DATAPATH_LIMITS.pathSegments || lists.includes(relation)) return undefined;
  return {
    type: getObjectType(relation.target),
    names: [...names, name],
    isMany: isMany || relation.many,
    lists: relation.many ? [...lists, relation] : lists,
  };
}

function entriesAt(root: string, { type, names, isMany, lists }: Place, from: string): readonly CatalogueEntry[] {
  const entry = (
    name: string,
    rest: Partial<CatalogueEntry> & Pick<CatalogueEntry, 'type' | 'used_in' | 'scopes'>,
  ) => ({
    path: [root, ...names, name].join('.'),
    root,
    is_many: isMany,
    target: null,
    label: toLabel(name),
    description: null,
    values: null,
    ...rest,
  });
  const properties = Object.entries(type.properties).filter(
    ([, one]) => one.kind === 'attribute' || !lists.includes(one),
  );
  const entries = properties.map(([name, property]): CatalogueEntry => {
    const path = [...names, name].join('.');
    const is_many = isMany || property.many;
    const description = property.description ?? null;
    if (property.kind === 'attribute') {
      const used_in = usesOf(root, path, { isValue: true, isMany: is_many });
      return entry(name, { type: property.type, is_many, description, used_in, scopes: requiredScopes(root, path) });
    }
    const target = getObjectType(property.target);
    return entry(name, {
      type: 'reference',
      is_many,
      description,
      target: target.name,
      used_in: usesOf(root, path, { isValue: false, isMany: is_many, target }),
      scopes: requiredScopes(root, `${path}.${target.label ?? 'id'}`),
    });
  });
  const formData = type.hasFormData
    ? [
        entry(FORM_DATA, {
          type: FORM_DATA,
          description: 'The values of forms. Continue with the id of a form item.',
          used_in: [],
          scopes: requiredScopes(root, [...names, FORM_DATA].join('.')),
        }),
      ]
    : [];
  const depth = names.length + 2;
  return depth > DATAPATH_LIMITS.pathSegments
    ? []
    : [...entries, ...formData].filter(({ path }) => path.split('.').at(-1)?.startsWith(from));
}

/**
 * Returns one entry for each form item that objects at this place can have values for. Leaves out items whose id does
 * not begin with `from`.
 */
function itemsAt(
  root: string,
  { type, names, isMany }: Place,
  { items, from }: { readonly items: readonly CatalogueItem[]; readonly from: string },
): readonly CatalogueEntry[] {
  if (!type.hasFormData) return [];
  return items
    .filter(({ id, resource }) => isOwnedBy(type.name, FORM_ROOTS[resource]) && String(id).startsWith(from))
    .map(({ id, type: itemType, label, values }) => {
      const value = formValueType(type.name, itemType).attributes['value'];
      const path = [...names, FORM_DATA, id].join('.');
      const is_many = isMany || value?.many === true;
      return {
        path: `${root}.${path}`,
        root,
        type: value?.type ?? 'text',
        is_many,
        target: null,
        label,
        description: null,
        scopes: requiredScopes(root, path),
        used_in: usesOf(root, path, { isValue: true, isMany: is_many }),
        values,
      };
    });
}

interface UsedDatapath {
  readonly isValue: boolean;
  readonly isMany: boolean;
  /**
   * The object type that the relation at the end of the datapath leads to. Absent when the datapath ends with a value.
   */
  readonly target?: ObjectType;
}

function usesOf(root: string, path: string, { isValue, isMany, target }: UsedDatapath): readonly DatapathUse[] {
  const resources = allResources().filter(({ type }) => type.name === root);
  const isCollection = resources.length > 0;
  const isFilterable = representationOf(getObjectType(root)).some(
    ({ datapath, filterable }) => filterable && datapath === path,
  );
  const isShownAsObject = target?.label !== undefined;
  const is: Readonly<Record<DatapathUse, boolean>> = {
    search: isCollection && (isValue || target?.attributes['id'] !== undefined),
    sort: isCollection && isValue && !isMany,
    filter: isCollection && isFilterable,
    expressions: isValue && expressionRoots().includes(root) && isFact(root, path),
    layouts: resources.some(({ name }) => collectionNames().includes(name)) && (isValue || isShownAsObject),
    templates: root === TEMPLATE_ROOT && (isValue || isShownAsObject),
  };
  return DATAPATH_USES.filter((use) => is[use]);
}

/** The object type with which all placeholders of message templates begin. */
const TEMPLATE_ROOT = 'application';

/** Makes a readable English label from a name: `closing_date` becomes `closing date`. */
const toLabel = (name: string): string => name.replace(/_dt$/, ' time').replaceAll('_', ' ');

/** True when this is the name of an object type with which a datapath can begin. */
export const isDatapathRoot = (name: string): boolean =>
  objectModel.type(name) !== undefined && datapathRoots().includes(name);
