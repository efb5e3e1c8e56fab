import {
  type AttributePlace,
  type AttributeShape,
  type ObjectShape,
  type RelationShape,
  type ObjectModel,
} from '../checking/model.js';
import { type SyntaxOptions } from '../syntax/collection.js';
import { type LanguageModel, type NamedKey, type PropertyText } from './language-model.js';

/** The properties of an entry of the catalogue that an editor needs. */
export interface DatapathEntry {
  /** The text of the datapath. */
  readonly path: string;
  /** The type of the datapath's values, such as `integer`. The name of the collection for an entry of a collection. */
  readonly type: string;
  /** True when the datapath has several values. */
  readonly is_many: boolean;
  /** The object type that a datapath to a relation leads to. Null for a value. */
  readonly target: string | null;
  /** A name of the datapath for people, or null. */
  readonly label: string | null;
  /** A sentence for people that describes the datapath, or null. */
  readonly description: string | null;
  /** All legal values, or null when they are not limited. */
  readonly values: readonly string[] | null;
  /** The uses for which the host accepts the datapath, such as `expressions` or `sort`. */
  readonly used_in: readonly string[];
}

const VALUE_TYPES: readonly string[] = ['integer', 'decimal', 'text', 'rich_text', 'boolean', 'date', 'datetime'];

/**
 * Loads the object model from the catalogue of datapaths. It calls `list` one or more times for each object type that
 * the roots lead to.
 * @param list  returns all entries whose datapaths begin with a prefix, such as `GET /datapaths?prefix=application.`
 * @param roots  the names with which datapaths begin
 * @param use  where the datapaths are used, such as `expressions`. The model leaves out values that cannot be used
 *   there
 * @param options  the extensions of the host; an entry of a collection has the name of the collection as its type
 * Source: docs/reference/datapaths.md, "Catalogue".
 */
export async function loadCatalogueModel(
  list: ListEntries,
  roots: readonly string[],
  use: string,
  options: Pick<ObjectModel, keyof SyntaxOptions> = {},
): Promise<LanguageModel> {
  const collections = (options.collections ?? []).map(({ name }) => name);
  const isUsable = ({ type, target, used_in }: DatapathEntry): boolean =>
    target !== null || collections.includes(type) || used_in.includes(use);
  const usable = (keys: readonly Keys[]): readonly Keys[] =>
    keys.map(([collection, entries]) => [collection, entries.filter(isUsable)]);
  const types = new Map<string, LoadedType>();
  const places: RelatedPlace[] = [];
  let next: readonly Place[] = roots.map((root) => ({ type: root, prefix: `${root}.` }));
  while (next.length > 0) {
    const loaded = await Promise.all(next.map((place) => load(place, list, collections)));
    for (const { type, entries, keys } of loaded)
      types.set(type, new LoadedType(type, entries.filter(isUsable), usable(keys)));
    const wanted = loaded.flatMap(({ entries }) =>
      entries.flatMap(({ path, target }) =>
        target === null || types.has(target) ? [] : [{ type: target, prefix: `${path}.` }],
      ),
    );
    next = wanted.filter(({ type }, index) => wanted.findIndex((other) => other.type === type) === index);
    places.push(...loaded.flatMap(({ type, entries }) => placesBehind(type, entries)));
  }
  const closed = await loadClosedValues(
    places.filter(({ type }) => types.get(type)?.values.size),
    list,
  );
  return {
    ...options,
    type: (name) => types.get(name)?.shape,
    keyedValue: (objectType, { collection, parts: [key = ''] }) =>
      types.get(objectType)?.keyed.get(`${collection}.${key}`),
    keyValues: (objectType, { collection, parts: [key = ''] }) =>
      types.get(objectType)?.keyValues.get(`${collection}.${key}`),
    keys: (objectType, collection) => types.get(objectType)?.named.get(collection) ?? [],
    closedValues: ({ owner, name, through }: AttributePlace) =>
      (through ? closed.get(`${through.owner}.${through.relation}`) : types.get(owner)?.values)?.get(name),
    describe: (objectType, name) => types.get(objectType)?.texts.get(name),
  };
}

/** Returns all entries whose datapaths begin with a prefix. */
export type ListEntries = (prefix: string) => Promise<readonly DatapathEntry[]>;

/**
 * Returns a function for `loadCatalogueModel` that answers from the given entries. For a prefix without given entries,
 * it calls `list` once.
 * @param entries entries such as those of `GET /datapaths?q=.`. For each prefix, they must be all entries with exactly
 *   one further name, or none
 * @param list returns all entries whose datapaths begin with a prefix
 */
export function listFromEntries(entries: readonly DatapathEntry[], list: ListEntries): ListEntries {
  const lists = new Map<string, Map<string, DatapathEntry>>();
  for (const entry of entries) {
    const prefix = entry.path.slice(0, entry.path.lastIndexOf('.') + 1);
    lists.set(prefix, (lists.get(prefix) ?? new Map<string, DatapathEntry>()).set(entry.path, entry));
  }
  const answers = new Map<string, Promise<readonly DatapathEntry[]>>();
  return (prefix) => {
    const found = lists.get(prefix);
    const answer = answers.get(prefix) ?? (found ? Promise.resolve([...found.values()]) : list(prefix));
    answers.set(prefix, answer);
    return answer;
  };
}

/** The name of a collection and the entries of its keys. */
type Keys = readonly [string, readonly DatapathEntry[]];

/** Returns the entries that are exactly one name longer than a prefix. */
const own = (entries: readonly DatapathEntry[], prefix: string): readonly DatapathEntry[] =>
  entries.filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'));

interface Place {
  readonly type: string;
  readonly prefix: string;
}

/**
 * Loads the entries of an object type behind the datapath `prefix`. Behind a to-many relation, all entries are marked
 * as to-many. So a second list, with the type itself as root, shows which attributes and relations are to-many
 * themselves.
 */
async function load({ type, prefix }: Place, list: ListEntries, collections: readonly string[]) {
  const [reached, root] = [own(await list(prefix), prefix), own(await list(`${type}.`), `${type}.`)];
  const isMany = new Map(root.map((entry) => [lastName(entry), entry.is_many]));
  const entries = reached.map((entry) => ({ ...entry, is_many: isMany.get(lastName(entry)) ?? entry.is_many }));
  const present = collections.filter((name) => entries.some((entry) => entry.type === name));
  const keys = await Promise.all(present.map(async (name): Promise<Keys> => [name, await list(`${prefix}${name}.`)]));
  return { type, entries, keys };
}

/**
 * An object type that a relation leads to. `through` is the owner and the name of the relation, such as
 * `application.user`.
 */
interface RelatedPlace extends Place {
  readonly through: string;
}

const placesBehind = (owner: string, entries: readonly DatapathEntry[]): readonly RelatedPlace[] =>
  entries.flatMap((entry) =>
    entry.target === null
      ? []
      : [{ type: entry.target, prefix: `${entry.path}.`, through: `${owner}.${lastName(entry)}` }],
  );

/**
 * Maps each relation to the closed values of the attributes behind it. They depend on the relation: an application and
 * a vacancy have different states.
 */
async function loadClosedValues(places: readonly RelatedPlace[], list: ListEntries) {
  const closed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const { prefix, through } of places) closed.set(through, valuesOf(own(await list(prefix), prefix)));
  return closed;
}

const valuesOf = (entries: readonly DatapathEntry[]): ReadonlyMap<string, readonly string[]> =>
  new Map(entries.flatMap((entry) => (entry.values ? [[lastName(entry), entry.values] as const] : [])));

/** One object type, made from the entries of the catalogue. */
class LoadedType {
  readonly shape: ObjectShape;
  /** Maps `<collection>.<key>` to the type of the value with this key. */
  readonly keyed = new Map<string, AttributeShape>();
  /** Maps `<collection>.<key>` to the possible values. Keys without limited values are absent. */
  readonly keyValues = new Map<string, readonly string[]>();
  /** Maps the name of each collection to its keys. */
  readonly named: ReadonlyMap<string, readonly NamedKey[]>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly texts = new Map<string, PropertyText>();

  constructor(name: string, entries: readonly DatapathEntry[], keys: readonly Keys[]) {
    const attributes: Record<string, AttributeShape> = {};
    const relations: Record<string, RelationShape> = {};
    for (const entry of entries) {
      const last = lastName(entry);
      if (entry.target !== null) relations[last] = { target: entry.target, many: entry.is_many };
      else if (isValueType(entry.type)) attributes[last] = { type: entry.type, many: entry.is_many };
      this.texts.set(last, textsOf(entry));
    }
    for (const [collection, entry] of keys.flatMap(([one, values]) => values.map((value) => [one, value] as const))) {
      if (isValueType(entry.type))
        this.keyed.set(`${collection}.${lastName(entry)}`, { type: entry.type, many: entry.is_many });
      if (entry.values) this.keyValues.set(`${collection}.${lastName(entry)}`, entry.values);
      this.texts.set(lastName(entry), textsOf(entry));
    }
    this.values = valuesOf(entries);
    this.named = new Map(
      keys.map(([one, values]) => [
        one,
        values.map((value) => ({ key: lastName(value), label: value.label ?? undefined })),
      ]),
    );
    const collections = keys.map(([one]) => one);
    this.shape = { name, attributes, relations, ...(collections.length > 0 && { collections }) };
  }
}

const lastName = ({ path }: DatapathEntry): string => path.split('.').at(-1) ?? '';

const isValueType = (type: string): type is AttributeShape['type'] => VALUE_TYPES.includes(type);

const textsOf = ({ label, description }: DatapathEntry): PropertyText => ({
  label: label ?? undefined,
  description: description ?? undefined,
});
