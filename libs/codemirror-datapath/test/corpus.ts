import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createLanguageService,
  type DatapathEntry,
  type IndexedCollection,
  type LanguageService,
  loadCatalogueModel,
} from '@ats/datapath';

/** Texts, each with the result that every adapter of the language service must give. */
interface Corpus {
  readonly completions: readonly { text: string; first?: string[]; all?: string[]; result?: string }[];
  readonly diagnostics: readonly { text: string; violations: readonly (readonly [string, string])[]; fixed?: string }[];
}

interface Catalogue {
  readonly roots: readonly string[];
  readonly entries: readonly DatapathEntry[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(__dirname, '../../datapath/test', file), 'utf8'));

export const corpus = read('language-corpus.json') as Corpus;

/** All texts of the corpus, without the mark that shows the cursor. */
export const texts = [...corpus.completions, ...corpus.diagnostics].map(({ text }) => text.replace('|', ''));

const { roots, entries } = read('language-model.json') as Catalogue;
/** The collection of form values. A key has an item, and the instances of its section and form. */
const formData: IndexedCollection = {
  name: 'formdata',
  key: [{ name: 'item' }, { name: 'section' }, { name: 'form' }],
};

/** Loads the service of the corpus in the same way as a browser. */
export async function loadService(): Promise<LanguageService> {
  const list = (prefix: string) => Promise.resolve(entries.filter(({ path }) => path.startsWith(prefix)));
  const model = await loadCatalogueModel(list, roots, 'expressions', { collections: [formData] });
  return createLanguageService(model, roots);
}
