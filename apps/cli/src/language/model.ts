import { readFileSync } from 'node:fs';
import { type Client } from '@ats/client';
import {
  type DatapathEntry,
  createLanguageService,
  type LanguageService,
  type ListEntries,
  listFromEntries,
  loadCatalogueModel,
  ModelError,
} from '@ats/datapath';
import { connect, type Context, pathOf } from '../context.js';
import { UsageError } from '../errors.js';
import { type StoredModel, storedModel } from './stored-model.js';
import { SYNTAX } from './form-data.js';

/** Options of the model of the expression language. */
export interface ModelOptions {
  /** A file that `ats model` wrote. Without it, the model is read from the service. */
  readonly model?: string;
  readonly root?: string;
}

interface ScopedEntry extends DatapathEntry {
  readonly scopes: readonly string[];
}

const PER_PAGE = 1_000;

/**
 * Creates the language service of a model.
 * @throws {UsageError} for a model or a root that cannot be used
 */
export async function loadLanguage(context: Context, options: ModelOptions): Promise<LanguageService> {
  const { model: file, root } = options;
  const { list, roots } = file === undefined ? await fromService(connect(context)) : fromFile(file);
  try {
    return await languageOf(list, chosen(roots, root));
  } catch (error) {
    if (file === undefined || !(error instanceof ModelError)) throw error;
    throw new UsageError(`--model: ${file} is not a file that \`ats model\` wrote: ${error.message}`, { cause: error });
  }
}

/** Creates the language service for a service. It knows the datapaths that the scopes of the client allow. */
export async function languageOfService(client: Client, root?: string): Promise<LanguageService> {
  const { list, roots } = await fromService(client);
  return languageOf(list, chosen(roots, root));
}

/** Reads the model of the service, as far as the credential may use it. */
export async function readModel(context: Context): Promise<StoredModel> {
  const { list, roots } = await fromService(connect(context));
  const entries = new Map<string, DatapathEntry>();
  const recording: ListEntries = async (prefix) => {
    const found = await list(prefix);
    for (const entry of found) entries.set(entry.path, entry);
    return found;
  };
  await languageOf(recording, roots);
  return { roots, entries: [...entries.values()] };
}

interface Source {
  readonly list: ListEntries;
  readonly roots: readonly string[];
}

async function languageOf(list: ListEntries, roots: readonly string[]): Promise<LanguageService> {
  return createLanguageService(await loadCatalogueModel(list, roots, 'expressions', SYNTAX), roots);
}

function chosen(roots: readonly string[], root: string | undefined): readonly string[] {
  if (root === undefined) return roots;
  if (roots.includes(root)) return [root];
  throw new UsageError(`--root: there is no root "${root}" that you may use. There are ${roots.join(', ')}.`);
}

function fromFile(file: string): Source {
  try {
    const { roots, entries } = storedModel(JSON.parse(readFileSync(file, 'utf8')));
    return { roots, list: (prefix) => Promise.resolve(entries.filter(({ path }) => path.startsWith(prefix))) };
  } catch (error) {
    throw new UsageError(`--model: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the catalogue of datapaths from a service, without those that the credential may not use. */
async function fromService(client: Client): Promise<Source> {
  const [me, types] = await Promise.all([
    read<{ scopes: readonly string[] }>(client, 'me'),
    read<readonly { root: string }[]>(client, 'event_types'),
  ]);
  const granted = new Set(me.scopes);
  const isUsable = ({ scopes }: ScopedEntry): boolean =>
    granted.has('*:read') || scopes.every((scope) => granted.has(scope));
  const search = async (query: { readonly prefix: string } | { readonly q: string }) => {
    const found: ScopedEntry[] = [];
    for (let page = 1; ; page += 1) {
      const entries = await read<readonly ScopedEntry[]>(client, 'datapaths', { ...query, page, per_page: PER_PAGE });
      found.push(...entries);
      if (entries.length < PER_PAGE) return usableEntries(found, isUsable);
    }
  };
  // Reads all datapaths with one search. Each datapath has a dot, so the search for a dot finds all that lead through
  // up to three relations. One request for each prefix would exceed the rate limit.
  const list = listFromEntries(await search({ q: '.' }), (prefix) => search({ prefix }));
  const all = [...new Set(types.map(({ root }) => root))];
  const filled = await Promise.all(all.map(async (root) => (await list(`${root}.`)).length > 0));
  return { list, roots: all.filter((_, index) => filled[index]) };
}

/**
 * Leaves out the entries that the credential may not use. A relation needs more scopes than some values behind it, so it
 * stays when any of them is usable.
 */
function usableEntries(
  entries: readonly ScopedEntry[],
  isUsable: (entry: ScopedEntry) => boolean,
): readonly ScopedEntry[] {
  const passed = new Set<string>();
  for (const { path } of entries.filter(isUsable))
    for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) passed.add(path.slice(0, end));
  return entries.filter((entry) => isUsable(entry) || (entry.target !== null && passed.has(entry.path)));
}

async function read<T>(client: Client, path: string, query?: Readonly<Record<string, unknown>>): Promise<T> {
  const { data } = await client.get<{ 200: T }, unknown, true>({ url: pathOf(path), query, throwOnError: true });
  return data;
}
