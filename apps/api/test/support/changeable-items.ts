import { type Item } from './answer.js';
import { type Api } from './api-harness.js';
import { type Body } from './collection-calls.js';
import { below, expectStatus, type Factories } from './factories.js';
import { addressOf, CALLS } from './openapi-calls.js';
import { bodyOf, operationsOf, type OpenApiDocument, type Operation, type Schema } from './openapi-document.js';

/** A kind of item that has PATCH, found in the OpenAPI document. */
export interface Changeable {
  /** Path of the items, such as `/api/v1/candidates/{id}`. */
  readonly path: string;
  readonly patch: Operation;
  /** False for items that have PATCH alone. */
  readonly hasPut: boolean;
  /** The writable properties. */
  readonly properties: Readonly<Record<string, Schema>>;
}

/** All kinds of items that have PATCH. Paths that are older names of others are left out. */
export function changeables(document: OpenApiDocument): readonly Changeable[] {
  const { paths, components } = document;
  return operationsOf(document)
    .filter(({ method, description = '' }) => method === 'PATCH' && !description.startsWith('The same as'))
    .map((patch) => {
      const { $ref = '' } = (bodyOf(patch)?.schema ?? {}) as { readonly $ref?: string };
      const { properties = {} } = (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) as Schema;
      return { path: patch.path, patch, hasPut: 'put' in (paths[patch.path] ?? {}), properties };
    });
}

/**
 * Creates an item from the example of its POST, with all that the example names. Without a POST, takes the first item of
 * the collection.
 * @returns the item as GET shows it
 */
export async function newItem(
  api: Api,
  make: Factories,
  { path }: Changeable,
  document: OpenApiDocument,
): Promise<Item> {
  const collection = path.replace(/\/\{id\}$/, '');
  const post = operationsOf(document).find(({ name }) => name === `POST ${collection}`);
  if (!post) {
    const [first] = expectStatus(200, await api.request('GET', collection)).items;
    if (!first) throw new Error(`${collection} has no items`);
    return first;
  }
  const example: Body = bodyOf(post)?.example ?? {};
  const call = (await CALLS[`POST ${collection}`]?.(make, example)) ?? {};
  const { item } = expectStatus(201, await api.request('POST', addressOf(collection, call), { body: call.body }));
  return expectStatus(200, await api.get(below(item.url))).item;
}
