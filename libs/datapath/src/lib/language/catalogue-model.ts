import { type AttributePlace, type AttributeShape, type ObjectShape, type RelationShape } from '../checking/model.js';
import { type LanguageModel, type NamedFormItem, type PropertyText } from './language-model.js';

/** The properties of an entry of the catalogue of datapaths that an editor needs. */
export interface CatalogueEntry {
  readonly path: string;
  readonly type: string;
  readonly is_many: boolean;
  readonly target: string | null;
  readonly label: string | null;
  readonly description: string | null;
  readonly values: readonly string[] | null;
  readonly used_in: readonly string[];
}

const FORM_DATA = 'formdata';
const VALUE_TYPES: readonly string[] = ['integer', 'decimal', 'text', 'rich_text', 'boolean', 'date', 'datetime'];

/**
 * Loads the object model from the catalogue of datapaths. The function calls `list` one or more times for each
 * object type that the roots lead to.
 * @param list returns all entries whose datapaths begin with a prefix, such as `GET /datapaths?prefix=application.`
 * @param roots the names with which datapaths begin
 * @param use where the datapaths are used, such as `expressions`: the model leaves out values that cannot be used there
 * Source: docs/reference/datapaths.md, "Catalogue".
 */
export async function loadCatalogueModel(
  list: ListEntries,
  roots: readonly string[],
  use: string,
): Promise<LanguageModel> {
  const isUsable = ({ type, target, used_in }: CatalogueEntry): boolean =>
    target !== null || type === FORM_DATA || used_in.includes(use);
  const types = new Map<string, LoadedType>();
  const places: RelatedPlace[] = [];
  let next: readonly Place[] = roots.map((root) => ({ type: root, prefix: `${root}.` }));
  while (next.length > 0) {
    const loaded = await Promise.all(next.map((place) => load(place, list)));
    for (const { type, entries, items } of loaded)
      types.set(type, new LoadedType(type, entries.filter(isUsable), items.filter(isUsable)));
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
    type: (name) => types.get(name)?.shape,
    formItem: (objectType, item) => types.get(objectType)?.items.get(item),
    formItems: (objectType) => types.get(objectType)?.named ?? [],
    closedValues: ({ owner, name, through }: AttributePlace) =>
      (through ? closed.get(`${through.owner}.${through.relation}`) : types.get(owner)?.values)?.get(name),
    describe: (objectType, name) => types.get(objectType)?.texts.get(name),
  };
}

/** Returns all entries whose datapaths begin with a prefix. */
export type ListEntries = (prefix: string) => Promise<readonly CatalogueEntry[]>;

/** The entries one name after a prefix. */
const own = (entries: readonly CatalogueEntry[], prefix: string): readonly CatalogueEntry[] =>
  entries.filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'));

interface Place {
  readonly type: string;
  readonly prefix: string;
}

/**
 * Lists the names of a type, behind the first datapath that reaches it. Behind a to-many relation every datapath is
 * to-many. Most types are roots, too, and the list of a root says of each name alone whether it is to-many.
 */
async function load({ type, prefix }: Place, list: ListEntries) {
  const [reached, root] = [own(await list(prefix), prefix), own(await list(`${type}.`), `${type}.`)];
  const isMany = new Map(root.map((entry) => [lastName(entry), entry.is_many]));
  const entries = reached.map((entry) => ({ ...entry, is_many: isMany.get(lastName(entry)) ?? entry.is_many }));
  const hasFormData = entries.some((entry) => entry.type === FORM_DATA);
  return { type, entries, items: hasFormData ? await list(`${prefix}${FORM_DATA}.`) : [] };
}

/** A place behind a relation. `through` is the type and the name of the relation, such as `application.user`. */
interface RelatedPlace extends Place {
  readonly through: string;
}

const placesBehind = (owner: string, entries: readonly CatalogueEntry[]): readonly RelatedPlace[] =>
  entries.flatMap((entry) =>
    entry.target === null
      ? []
      : [{ type: entry.target, prefix: `${entry.path}.`, through: `${owner}.${lastName(entry)}` }],
  );

/** Lists the closed values of each relation, because they depend on it: the states of an application, of a vacancy. */
async function loadClosedValues(places: readonly RelatedPlace[], list: ListEntries) {
  const closed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const { prefix, through } of places) closed.set(through, valuesOf(own(await list(prefix), prefix)));
  return closed;
}

const valuesOf = (entries: readonly CatalogueEntry[]): ReadonlyMap<string, readonly string[]> =>
  new Map(entries.flatMap((entry) => (entry.values ? [[lastName(entry), entry.values] as const] : [])));

/** One type of object, as the catalogue shows it. */
class LoadedType {
  readonly shape: ObjectShape;
  readonly items = new Map<string, AttributeShape>();
  readonly named: readonly NamedFormItem[];
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly texts = new Map<string, PropertyText>();

  constructor(name: string, entries: readonly CatalogueEntry[], items: readonly CatalogueEntry[]) {
    const attributes: Record<string, AttributeShape> = {};
    const relations: Record<string, RelationShape> = {};
    for (const entry of entries) {
      const last = lastName(entry);
      if (entry.target !== null) relations[last] = { target: entry.target, many: entry.is_many };
      else if (isValueType(entry.type)) attributes[last] = { type: entry.type, many: entry.is_many };
      this.texts.set(last, textsOf(entry));
    }
    for (const entry of items) {
      if (isValueType(entry.type)) this.items.set(lastName(entry), { type: entry.type, many: entry.is_many });
      this.texts.set(lastName(entry), textsOf(entry));
    }
    this.values = valuesOf(entries);
    this.named = items.map((entry) => ({ item: lastName(entry), label: entry.label ?? undefined }));
    const hasFormData = entries.some(({ type }) => type === FORM_DATA);
    this.shape = { name, attributes, relations, ...(hasFormData && { hasFormData }) };
  }
}

const lastName = ({ path }: CatalogueEntry): string => path.split('.').at(-1) ?? '';

const isValueType = (type: string): type is AttributeShape['type'] => VALUE_TYPES.includes(type);

const textsOf = ({ label, description }: CatalogueEntry): PropertyText => ({
  label: label ?? undefined,
  description: description ?? undefined,
});
