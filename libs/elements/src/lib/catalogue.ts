import { type Client, items, referenceListDatapaths } from '@ats/client';
import {
  createLanguageService,
  type DatapathEntry,
  type IndexedCollection,
  type LanguageModel,
  type LanguageService,
  type ListEntries,
  listFromEntries,
  loadCatalogueModel,
} from '@ats/datapath';

const PER_PAGE = 1_000;
/** Maps each client to its language services, by the names with which datapaths begin. */
const services = new WeakMap<Client, Map<string, Promise<LanguageService>>>();

/**
 * Loads the language service for expressions whose datapaths begin with one of the names.
 * @param names  separated by spaces, such as `vacancy event`
 */
export function languageServiceOf(client: Client, names: string): Promise<LanguageService> {
  const ofClient = services.get(client) ?? new Map<string, Promise<LanguageService>>();
  services.set(client, ofClient);
  const known = ofClient.get(names);
  if (known) return known;
  const loading = load(client, names.split(' '));
  ofClient.set(names, loading);
  loading.catch(() => ofClient.delete(names));
  return loading;
}

async function load(client: Client, roots: readonly string[]): Promise<LanguageService> {
  const model = await loadCatalogueModel(await listOf(client, roots), roots, 'expressions');
  return createLanguageService(model, roots);
}

/** The collection of form values in datapaths. Source: docs/reference/datapaths.md, "Form data". */
const FORM_DATA: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, { name: 'section', absent: '1' }, { name: 'form', absent: '1' }],
};

/** Loads the object model with the form items that conditions of forms may name. */
export const formModelOf = async (client: Client, root: string): Promise<LanguageModel> =>
  loadCatalogueModel(await listOf(client, [root]), [root], 'expressions', { collections: [FORM_DATA] });

/**
 * Loads the entries of all roots, and with one request for each given root the datapaths through up to three relations.
 * The search for `.` finds them, because every datapath has a dot. A request for each prefix would exceed the rate
 * limit.
 */
async function listOf(client: Client, roots: readonly string[]): Promise<ListEntries> {
  const found = await Promise.all([
    find(client, {}),
    ...roots.map((root) => find(client, { root: root as Root, q: '.' })),
  ]);
  // The first request lists the datapaths of all roots. So there are none behind another name alone, such as `state.`.
  return listFromEntries(found.flat(), (prefix) => (isName(prefix) ? Promise.resolve([]) : find(client, { prefix })));
}

const isName = (prefix: string): boolean => prefix.indexOf('.') === prefix.length - 1;

type Query = NonNullable<Parameters<typeof referenceListDatapaths>[0]['query']>;
type Root = Query['root'];

async function find(client: Client, query: Query): Promise<readonly DatapathEntry[]> {
  const found: DatapathEntry[] = [];
  const options = { client, query: { ...query, per_page: PER_PAGE } };
  for await (const entry of items(referenceListDatapaths, options)) found.push(entry);
  return found;
}
