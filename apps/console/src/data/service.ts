import { allScopes, api, hasScope, sessionChanges } from '../app/session.js';
import { languageChanges } from '../app/i18n.js';
import { type ApiDocument, type Collection, collectionsOf, type MayCall, operationsOf } from './catalogue.js';
import { type Column, columnsOf, type Schema } from './columns.js';
import { loadTranslations } from './translations.js';

/** The answer of the service to a request: the body and the response. */
export interface Answer<Body> {
  readonly data: Body;
  readonly response: Response;
}

/** Options of a request. In `parameters`, the same name may occur several times, such as `search`. */
export interface RequestOptions {
  readonly parameters?: URLSearchParams | Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The bytes of one request of a resumable upload. They replace `body`. */
  readonly bytes?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** With `stream`, the answer is read as a stream of bytes. Otherwise the media type decides how it is read. */
  readonly parseAs?: 'stream';
}
type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Sends a request whose path comes from the OpenAPI document. The client has no function for such a request.
 * @throws ApiError, ConnectionError
 */
export async function send<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
  const { parameters, body, bytes, headers, signal, parseAs } = options;
  const query = new URLSearchParams(parameters).toString();
  const answer = await api()[method]({
    url: query === '' ? path : `${path}?${query}`,
    ...(body !== undefined && { body }),
    ...(bytes !== undefined && { body: bytes, bodySerializer: null }),
    headers: { ...typeOf(options), ...headers },
    ...(signal && { signal }),
    ...(parseAs && { parseAs }),
    throwOnError: true,
  });
  return answer as unknown as Answer<Body>;
}

function typeOf({ body, bytes }: RequestOptions): Readonly<Record<string, string>> {
  if (bytes !== undefined) return { 'Content-Type': 'application/offset+octet-stream' };
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

export const read = async <Body>(path: string, parameters?: RequestOptions['parameters']): Promise<Body> =>
  (await send<Body>('get', path, parameters ? { parameters } : {})).data;

/** The collections and operations that the signed-in credential may use. */
export interface Catalogue {
  readonly collections: readonly Collection[];
  readonly mayCall: MayCall;
}

let catalogue: Promise<Catalogue> | undefined;
const columns = new Map<string, Promise<readonly Column[]>>();
const forget = (): void => {
  catalogue = undefined;
  columns.clear();
};
sessionChanges.addEventListener('change', forget);
languageChanges.addEventListener('change', forget);

/** Returns the catalogue, which is read once in each session. */
export function readCatalogue(): Promise<Catalogue> {
  catalogue ??= loadCatalogue().catch((error: unknown) => {
    catalogue = undefined;
    throw error;
  });
  return catalogue;
}

async function loadCatalogue(): Promise<Catalogue> {
  const [document] = await Promise.all([read<ApiDocument>('/openapi.json'), loadTranslations()]);
  const mayCall = operationsOf(allScopes(), hasScope);
  return { collections: collectionsOf(document, mayCall), mayCall };
}

/** Returns the collection with a name. Undefined when the credential may not read it. */
export async function findCollection(name: string): Promise<Collection | undefined> {
  const { collections } = await readCatalogue();
  return collections.find((collection) => collection.name === name);
}

/** Returns the columns of a collection. They follow from `GET /schemas/<resource>`. */
export function readColumns(name: string): Promise<readonly Column[]> {
  let found = columns.get(name);
  found ??= Promise.all([read<Schema>(`/api/v1/schemas/${name}`), loadTranslations()]).then(([schema]) =>
    columnsOf(schema),
  );
  found.catch(() => columns.delete(name));
  columns.set(name, found);
  return found;
}

/** Returns the number of all items. Undefined when the service could not count them in time. */
export function totalOf(response: Response): number | undefined {
  const text = response.headers.get('x-total-count');
  return text === null ? undefined : Number(text);
}
