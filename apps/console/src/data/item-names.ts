import { languageChanges } from '../app/i18n.js';
import { sessionChanges } from '../app/session.js';
import { type Collection } from './catalogue.js';
import { readColumns, send } from './service.js';
import { nameOf } from './values.js';

type Named = Readonly<Record<string, unknown>>;

/** The properties that the console reads to make the name of an item. */
const PARTS = [
  ...['id', 'firstname', 'lastname', 'fullname', 'title', 'name', 'label', 'code', 'reference', 'email', 'state'],
  ...['subject', 'user', 'opportunity'],
];
/** Time in ms for which names are collected. One request for each collection then reads them. */
const PAUSE_MS = 20;

interface Batch {
  readonly ids: Set<number>;
  readonly names: Promise<ReadonlyMap<number, string>>;
}
const known = new Map<string, Map<number, Promise<string | undefined>>>();
const waiting = new Map<string, Batch>();
const forget = (): void => {
  known.clear();
  waiting.clear();
};
sessionChanges.addEventListener('change', forget);
languageChanges.addEventListener('change', forget);

/** Returns the name of an item. For an application it consists of the names of its candidate and its opportunity. */
export function titleOf(item: Named): string {
  const { user, opportunity } = item;
  return [user, opportunity].every((part) => typeof part === 'object' && part !== null)
    ? `${nameOf(user as Named)}: ${nameOf(opportunity as Named)}`
    : nameOf(item);
}

/** Reads the name of an item. Undefined when the item no longer exists. Names asked for together share a request. */
export function readItemName(collection: Collection, id: number): Promise<string | undefined> {
  const ofCollection = known.get(collection.name) ?? new Map<number, Promise<string | undefined>>();
  known.set(collection.name, ofCollection);
  const found = ofCollection.get(id) ?? batchOf(collection, id).names.then((names) => names.get(id));
  ofCollection.set(id, found);
  found.catch(() => ofCollection.delete(id));
  return found;
}

function batchOf(collection: Collection, id: number): Batch {
  const { name } = collection;
  const ids = new Set<number>();
  const started: Batch = waiting.get(name) ?? { ids, names: readLater(collection, ids) };
  waiting.set(name, started);
  started.ids.add(id);
  return started;
}

async function readLater(collection: Collection, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  waiting.delete(collection.name);
  const columns = await readColumns(collection.name);
  const fields = columns.flatMap(({ name }) => (PARTS.includes(name) ? [name] : []));
  const parameters = { search: `/id={${[...ids].join(',')}}`, fields: fields.join(','), per_page: String(ids.size) };
  const { data } = await send<readonly (Named & { readonly id: number })[]>('get', collection.path, { parameters });
  return new Map(data.map((item) => [item.id, titleOf(item)]));
}
