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
import { type StoredEventType, type StoredModel, storedModel } from './stored-model.js';
import { SYNTAX } from './form-data.js';

/** Options of the model of the expression language. */
export interface ModelOptions {
  /** A file that `ats model` wrote. When it is absent, the model is read from the service. */
  readonly model?: string;
  readonly root?: string;
  /** The event type of the topic whose expressions are checked. */
  readonly eventType?: string;
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
  const { model: file } = options;
  const source = file === undefined ? await fromService(connect(context)) : fromFile(file);
  const used = chosen(source, options);
  try {
    return await languageOf(source.list, used);
  } catch (error) {
    if (file === undefined || !(error instanceof ModelError)) throw error;
    throw new UsageError(`--model: ${file} is not a file that \`ats model\` wrote: ${error.message}`, { cause: error });
  }
}

/** Creates the language service for a service. It knows the datapaths that the scopes of the client allow. */
export async function languageOfService(client: Client, root?: string): Promise<LanguageService> {
  const source = await fromService(client);
  return languageOf(source.list, chosen(source, root === undefined ? {} : { root }));
}

/** Reads the model of the service, as far as the credential may use it. */
export async function readModel(context: Context): Promise<StoredModel> {
  const { list, roots, eventTypes } = await fromService(connect(context));
  const entries = new Map<string, DatapathEntry>();
  const recording: ListEntries = async (prefix) => {
    const found = await list(prefix);
    for (const entry of found) entries.set(entry.path, entry);
    return found;
  };
  await languageOf(recording, { roots, hasPast: false });
  return { roots, eventTypes, entries: [...entries.values()] };
}

interface Source {
  readonly list: ListEntries;
  readonly roots: readonly string[];
  readonly eventTypes: readonly StoredEventType[];
}

/**
 * The roots that expressions may have, and whether they may use CHANGED and WAS. The options of the command decide
 * both.
 */
interface Choice {
  readonly roots: readonly string[];
  readonly hasPast: boolean;
}

async function languageOf(list: ListEntries, { roots, hasPast }: Choice): Promise<LanguageService> {
  const model = await loadCatalogueModel(list, roots, 'expressions', SYNTAX);
  return createLanguageService({ ...model, hasPast }, roots);
}

function chosen(source: Source, { root, eventType }: Pick<ModelOptions, 'root' | 'eventType'>): Choice {
  const { roots, eventTypes } = source;
  if (eventType !== undefined && root !== undefined)
    throw new UsageError('--event-type: it already says the root, so --root cannot be used beside it.');
  if (root !== undefined && !roots.includes(root))
    throw new UsageError(`--root: there is no root "${root}" that you may use. There are ${roots.join(', ')}.`);
  if (eventType === undefined) return { roots: root === undefined ? roots : [root], hasPast: false };
  const known = eventTypes.filter((one) => roots.includes(one.root));
  const found = known.find(({ type }) => type === eventType);
  if (found === undefined) {
    const names = known.map(({ type }) => type).join(', ');
    const hint = names === '' ? 'Write the model again with `ats model`.' : `There are ${names}.`;
    throw new UsageError(`--event-type: there is no event type "${eventType}" that you may use. ${hint}`);
  }
  return { roots: [found.root], hasPast: hasFormerValues(eventType) };
}

/**
 * Returns whether events of a type store former values. `hasPast` of `@ats/domain`, which is not published for clients,
 * has the same rule. Source: docs/reference/notifications.md, "Former values".
 */
const hasFormerValues = (type: string): boolean => /^STATE_CHANGE_|_UPDATE$|^FORM_VALUES_CHANGE$/.test(type);

function fromFile(file: string): Source {
  try {
    const { roots, entries, eventTypes = [] } = storedModel(JSON.parse(readFileSync(file, 'utf8')));
    return {
      roots,
      eventTypes,
      list: (prefix) => Promise.resolve(entries.filter(({ path }) => path.startsWith(prefix))),
    };
  } catch (error) {
    throw new UsageError(`--model: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the catalogue of datapaths from a service, without those that the credential may not use. */
async function fromService(client: Client): Promise<Source> {
  const [me, types] = await Promise.all([
    read<{ scopes: readonly string[] }>(client, 'me'),
    read<readonly StoredEventType[]>(client, 'event_types'),
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
  // Reads all datapaths with one search, because one request for each prefix would exceed the rate limit. Each datapath
  // contains a dot, so a search for a dot finds all datapaths through up to three relations.
  // So there are none behind a name alone that is not found, such as `state.`.
  const list = listFromEntries(await search({ q: '.' }), (prefix) =>
    prefix.indexOf('.') === prefix.length - 1 ? Promise.resolve([]) : search({ prefix }),
  );
  const all = [...new Set(types.map(({ root }) => root))];
  const filled = await Promise.all(all.map(async (root) => (await list(`${root}.`)).length > 0));
  const eventTypes = types.map(({ type, root }) => ({ type, root }));
  return { list, eventTypes, roots: all.filter((_, index) => filled[index]) };
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
