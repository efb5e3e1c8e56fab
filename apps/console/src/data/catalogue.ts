import { type Scopes } from '@ats/client';
import { functionOf } from '../parts/call-samples.js';
import { translatedTitle } from './collection-titles.js';
import { resolve, type Schema, type Schemas } from './columns.js';

/** The parts of `/openapi.json` that the console reads. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly tags: readonly { readonly name: string; readonly 'x-displayName'?: string; readonly description?: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
    readonly requestBodies: Readonly<Record<string, RequestBody>>;
  };
}
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathItem = Readonly<Partial<Record<Method, Operation>>> & { readonly parameters?: readonly Parameter[] };
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: RequestBody | { readonly $ref: string };
  readonly parameters?: readonly Parameter[];
}
interface RequestBody {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}
type Parameter = { readonly $ref: string } | { readonly name: string };

/** A collection that the API can list and export. */
export interface Collection {
  /** The name of the resource in `/schemas` and in scopes, such as `event_applications`. */
  readonly name: string;
  /** The path of the list, such as `/api/v1/vacancy_applications`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly group: string;
  /** True when a credential with the right scope can change items. */
  readonly isChangeable: boolean;
  /**
   * Maps the names of the properties that `PATCH` accepts to their schemas. Empty when the signed-in credential cannot
   * change items.
   */
  readonly writable: Readonly<Record<string, Schema>>;
  /**
   * Maps operations of the collection to the names of the client's functions: `list` for the collection, `get` and
   * `patch` for one item.
   */
  readonly functions: Readonly<Partial<Record<'list' | 'get' | 'patch', string>>>;
  readonly isCounted: boolean;
  readonly nested: readonly NestedCollection[];
}

/** A collection below the items of another collection, such as the subscriptions of a topic. */
export interface NestedCollection {
  /** The segment of the path after the id of the item, such as `subscriptions`. */
  readonly segment: string;
  readonly title: string;
}

/** Returns true when the signed-in credential may send an operation, such as `GET /api/v1/candidates`. */
export type MayCall = (method: string, path: string) => boolean;

/** The scope that the operations with the history of items need. */
const HISTORY = 'history:read';

/**
 * Returns a function that tells whether the credential may send an operation. An operation that no scope in `GET
 * /scopes` names is open to every credential. Otherwise, the credential needs one of the scopes that name it. A history
 * needs all of them, because it shows values of another resource. Source: docs/reference/history.md.
 */
export function operationsOf(scopes: readonly Scopes[], hasScope: (scope: string) => boolean): MayCall {
  const needed = new Map<string, string[]>();
  for (const { scope, operations } of scopes)
    for (const operation of operations) needed.set(operation, [...(needed.get(operation) ?? []), scope]);
  return (method, path) => {
    const names = needed.get(`${method} ${path}`);
    if (!names) return true;
    return names.includes(HISTORY) ? names.every(hasScope) : names.some(hasScope);
  };
}

/** Returns the collections of the API that the credential may read, in the order of the API reference. */
export function collectionsOf(document: ApiDocument, mayCall: MayCall): readonly Collection[] {
  return Object.entries(document.paths)
    .filter(([path, { get }]) => get && !path.includes('{') && isExported(document, path) && mayCall('GET', path))
    .map(([path, { get }]) => describe(document, path, get?.tags[0] ?? '', mayCall));
}

/**
 * True for the path of a collection. A path belongs to a collection exactly when it can be exported.
 * Source: docs/reference/export.md.
 */
function isExported(document: ApiDocument, path: string): boolean {
  const { parameters = [], get } = document.paths[path] ?? {};
  return [...parameters, ...(get?.parameters ?? [])].some((parameter) => nameOf(document, parameter) === 'format');
}

const nameOf = (document: ApiDocument, parameter: Parameter): string | undefined =>
  'name' in parameter ? parameter.name : document.components.parameters[lastPart(parameter.$ref)]?.name;

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function describe(document: ApiDocument, path: string, name: string, mayCall: MayCall): Collection {
  const tag = document.tags.find((candidate) => candidate.name === name);
  const item = document.paths[`${path}/{id}`];
  const isWritable = item?.patch !== undefined && mayCall('PATCH', `${path}/{id}`);
  return {
    name,
    path,
    title: translatedTitle(name, tag?.['x-displayName'] ?? name),
    description: (tag?.description ?? '').replaceAll('\n', ' '),
    group: groupOf(document, name),
    isChangeable: item?.patch !== undefined,
    writable: isWritable ? writableOf(document, item.patch) : {},
    functions: {
      list: functionOf(document.paths[path]?.get),
      ...(item?.get && { get: functionOf(item.get) }),
      ...(item?.patch && { patch: functionOf(item.patch) }),
    },
    nested: nestedOf(document, path, mayCall),
    isCounted: document.paths[`${path}/counts`] !== undefined && mayCall('GET', `${path}/counts`),
  };
}

/** Maps the last segment of a path to the name of its collection, where the segment and the name differ. */
const NAMES: Readonly<Record<string, string>> = { comms: 'communications' };

/** Returns the collections directly below the items of a collection. */
function nestedOf(document: ApiDocument, above: string, mayCall: MayCall): readonly NestedCollection[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const [, segment] = path.startsWith(`${above}/{`) ? (/\}\/(\w+)$/.exec(path) ?? []) : [];
    const isBelow = segment !== undefined && path.split('/').length === above.split('/').length + 2;
    if (!get || !isBelow || !isExported(document, path) || !mayCall('GET', path)) return [];
    const name = NAMES[segment] ?? get.tags[0] ?? segment;
    const tag = document.tags.find((candidate) => candidate.name === name);
    return [{ segment, title: translatedTitle(name, tag?.['x-displayName'] ?? name) }];
  });
}

function groupOf({ 'x-tagGroups': groups }: ApiDocument, tag: string): string {
  const name = groups.find(({ tags }) => tags.includes(tag))?.name ?? '';
  return translatedTitle(name, name);
}

/** Maps the names of properties in the body of an operation to their schemas. */
function writableOf({ components }: ApiDocument, { requestBody }: Operation): Readonly<Record<string, Schema>> {
  const { requestBodies, schemas } = components;
  const body = requestBody && '$ref' in requestBody ? requestBodies[lastPart(requestBody.$ref)] : requestBody;
  const [content] = Object.values(body?.content ?? {});
  const { properties = {} } = resolve(schemas, content?.schema ?? {});
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, described(schemas, resolve(schemas, schema))]),
  );
}

/** Replaces a description such as `See \`vacancies.owner\`.` by the description that it refers to. */
function described(schemas: Schemas, schema: Schema): Schema {
  const [first, ...names] = /^See `([\w.]+)`\.$/.exec(schema.description ?? '')?.[1]?.split('.') ?? [];
  if (first === undefined) return schema;
  const partOf = (above: Schema, name: string): Schema =>
    resolve(schemas, (above.properties ?? above.items?.properties)?.[name] ?? {});
  const { description } = names.reduce(partOf, schemas[first] ?? {});
  return { ...schema, description: description ?? '' };
}
