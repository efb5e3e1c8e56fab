import { referenceListDatapaths } from '@ats/client';
import {
  createLanguageService,
  type IndexedCollection,
  type LanguageModel,
  type LanguageService,
  type ListEntries,
  loadCatalogueModel,
} from '@ats/datapath';
import { api } from '../app/session.js';

const PER_PAGE = 1_000;
/** One service for each root, for as long as the page is open. */
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
  const model = await loadCatalogueModel(list, [root], 'expressions');
  return createLanguageService(model, [root]);
}

/** The values of forms in datapaths. Source: docs/reference/datapaths.md, "Form data". */
const FORM_DATA: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, { name: 'section', absent: '1' }, { name: 'form', absent: '1' }],
};

/** Loads the model of the objects and form items that conditions of forms can name. */
export const formModelOf = (root: string): Promise<LanguageModel> =>
  loadCatalogueModel(list, [root], 'expressions', { collections: [FORM_DATA] });

const list: ListEntries = async (prefix) =>
  (await referenceListDatapaths({ client: api(), query: { prefix, per_page: PER_PAGE } })).data;
