import { readdir } from 'node:fs/promises';
import { type Answer } from './answer.js';
import { type Api, BASE_URL, type RequestOptions } from './api-harness.js';
import { expectStatus } from './factories.js';

type Metadata = Readonly<Record<string, string>>;

/** Headers of the tus protocol. */
export const TUS = {
  version: { 'tus-resumable': '1.0.0' },
  bytes: { 'content-type': 'application/offset+octet-stream' },
} as const;

/** Returns the value of the header `Upload-Metadata`. */
export const metadataOf = (metadata: Metadata): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Sends the requests of the protocol tus 1.0. */
export interface Sender {
  create(length: number, metadata: Metadata, options?: RequestOptions): Promise<Answer>;
  /** @returns the path of a new upload */
  begin(length: number): Promise<string>;
  pathOf(created: Answer): string;
  head(path: string, options?: RequestOptions): Promise<Answer>;
  patch(path: string, offset: number, payload: string | Buffer, options?: RequestOptions): Promise<Answer>;
  remove(path: string, options?: RequestOptions): Promise<Answer>;
  /** @returns the headers of the last answer */
  upload(payload: string, metadata: Metadata): Promise<Pick<Answer, 'headers'> & { readonly path: string }>;
}

export function tusOf(api: () => Api, collection: string): Sender {
  const send = (method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE', path: string, options: RequestOptions, more = {}) =>
    api().request(method, path, { ...options, headers: { ...TUS.version, ...more, ...options.headers } });
  const sender: Sender = {
    create: (length, metadata, options = {}) =>
      send('POST', collection, options, {
        'upload-length': String(length),
        ...(Object.keys(metadata).length > 0 && { 'upload-metadata': metadataOf(metadata) }),
      }),
    begin: async (length) => sender.pathOf(await sender.create(length, { kind: 'cv', name: 'a.txt' })),
    pathOf: (created) => String(expectStatus(201, created).headers['location']).slice(BASE_URL.length),
    head: (path, options = {}) => send('HEAD', path, options),
    patch: (path, offset, payload, options = {}) =>
      send('PATCH', path, { ...options, payload }, { ...TUS.bytes, 'upload-offset': String(offset) }),
    remove: (path, options = {}) => send('DELETE', path, options),
    upload: async (payload, metadata) => {
      const path = sender.pathOf(await sender.create(Buffer.byteLength(payload), metadata));
      const { headers } = expectStatus(204, await sender.patch(path, 0, payload));
      return { headers, path };
    },
  };
  return sender;
}

/** Returns the bytes of a document. */
export async function download(api: Api, id: string | undefined): Promise<Buffer> {
  const { item } = expectStatus(200, await api.get(`/documents/${id}/link`));
  const link = String(item.url).slice(BASE_URL.length);
  const response = await api.app.inject({ method: 'GET', url: link });
  return response.rawPayload;
}

/** Returns the number of files in the document store of an API. */
export const countFiles = async ({ folder }: Api): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
