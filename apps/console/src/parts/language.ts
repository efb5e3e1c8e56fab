import { items, referenceListDatapaths } from '@ats/client';
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
import { api } from '../app/session.js';

const PER_PAGE = 1_000;
/** The language services by root. They are kept as long as the page is open. */
const services = new Map<string, Promise<LanguageService>>();

/** Loads the language service for expressions that begin with a name, such as `application`. */
export function languageOf(root: string): Promise<LanguageService> {
  const known = services.get(root);
  if (known) return known;
  const loading = load(root);
  services.set(root, loading);
  loading.catch(() => services.delete(root));
  return loading;
}

async function load(root: string): Promise<LanguageService> {
  const model = await loadCatalogueModel(await listOf(root), [root], 'expressions');
  return createLanguageService(model, [root]);
}

/** Describes the values of forms in datapaths. Source: docs/reference/datapaths.md, "Form data". */
const FORM_DATA: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, { name: 'section', absent: '1' }, { name: 'form', absent: '1' }],
};

/** Loads the object model with the form items that conditions of forms may name. */
export const formModelOf = async (root: string): Promise<LanguageModel> =>
  loadCatalogueModel(await listOf(root), [root], 'expressions', { collections: [FORM_DATA] });

/**
 * Loads all roots and the datapaths behind one root with one request each. A request for each prefix would exceed the
 * rate limit. Each datapath has a dot, so the search for a dot finds all that lead through up to three relations.
 */
async function listOf(root: string): Promise<ListEntries> {
  const [roots, behind] = await Promise.all([find({}), find({ root: root as Root, q: '.' })]);
  return listFromEntries([...roots, ...behind], (prefix) => find({ prefix }));
}

type Query = NonNullable<Parameters<typeof referenceListDatapaths>[0]['query']>;
type Root = Query['root'];

async function find(query: Query): Promise<readonly DatapathEntry[]> {
  const found: DatapathEntry[] = [];
  const options = { client: api(), query: { ...query, per_page: PER_PAGE } };
  for await (const entry of items(referenceListDatapaths, options)) found.push(entry);
  return found;
}
