import { type Item } from './answer.js';
import { type Api } from './api-harness.js';
import { type Body } from './collection-calls.js';
import { below, expectStatus, type Factories } from './factories.js';
import { addressOf, CALLS } from './openapi-calls.js';
import { bodyOf, expanded, operationsOf, type OpenApiDocument, type Schema } from './openapi-document.js';

/** A kind of item that clients can change with PATCH, as the OpenAPI document describes it. */
export interface Changeable {
  /** The path of the items, such as `/api/v1/candidates/{id}`. */
  readonly path: string;
  /** False when the items can be changed with PATCH but not with PUT. */
  readonly hasPut: boolean;
  /** Maps each writable property to its schema. */
  readonly properties: Readonly<Record<string, WriteSchema>>;
  /**
   * Creates an item.
   * @returns the item as GET shows it
   */
  readonly make: () => Promise<Item>;
}

/** The schema of a property of a body. */
export interface WriteSchema extends Schema {
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly WriteSchema[];
  readonly items?: WriteSchema;
  readonly properties?: Readonly<Record<string, WriteSchema>>;
}

/**
 * Maps a kind of item to a function that creates an item, when the example of its POST cannot be sent as it is, because
 * some of its properties depend on others.
 */
const OWN_ITEMS: Readonly<Record<string, (make: Factories) => Promise<Item>>> = {
  '/api/v1/notification_topics/{id}': (make) => make.topic(),
};

/** Returns all kinds of items that have PATCH. Leaves out older paths of the same items. */
export function changeables(document: OpenApiDocument, api: Api, make: Factories): readonly Changeable[] {
  return operationsOf(document)
    .filter(({ method, aliasOf }) => method === 'PATCH' && aliasOf === undefined)
    .map((patch) => {
      const { $ref = '' } = (bodyOf(patch)?.schema ?? {}) as { readonly $ref?: string };
      const { properties = {} } = expanded(document, { $ref }) as WriteSchema;
      const { path } = patch;
      const create = OWN_ITEMS[path] ?? ((factories: Factories) => fromExample(document, api, factories, path));
      return {
        path,
        hasPut: 'put' in (document.paths[path] ?? {}),
        properties,
        make: async () => readBack(api, await create(make)),
      };
    });
}

/** Reads an item in a minor version. */
export const readBack = async (api: Api, { url }: Item, version?: string): Promise<Item> =>
  expectStatus(200, await api.get(below(url), version ? { headers: { 'api-version': version } } : {})).item;

/** Creates an item from the example of its POST. If there is no POST, takes the first item of the collection. */
async function fromExample(document: OpenApiDocument, api: Api, make: Factories, path: string): Promise<Item> {
  const collection = path.replace(/\/\{id\}$/, '');
  const post = operationsOf(document).find(({ name }) => name === `POST ${collection}`);
  if (!post) return (await api.request('GET', collection)).items[0] as Item;
  const example: Body = bodyOf(post)?.example ?? {};
  const call = (await CALLS[post.name]?.(make, example)) ?? {};
  return expectStatus(201, await api.request('POST', addressOf(collection, call), { body: call.body })).item;
}
