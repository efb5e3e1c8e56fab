import { type Method } from './api-harness.js';

export type Json = Readonly<Record<string, unknown>>;

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: Json;
}

/** A part of the document, or a reference to a shared component. */
type Shared<Part> = Part | { readonly $ref: string };

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json; readonly example?: Json }>>;
}

interface RequestBodyObject {
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

interface MediaTypeObject {
  readonly schema: Json;
  readonly example?: Json;
}

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
}

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly Shared<ParameterObject>[];
  readonly security?: readonly unknown[];
  readonly requestBody?: Shared<RequestBodyObject>;
  readonly responses: Readonly<Record<string, Shared<ResponseObject>>>;
}

/** Maps a method to the operation of a path. `parameters` has the parameters that all operations of the path have. */
type PathItem = Readonly<Record<string, OperationObject>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly 'x-tagGroups': readonly { readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly description: string;
          readonly parameters?: readonly { readonly $ref: string }[];
          readonly requestBody: RequestBodyObject;
        };
      }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly requestBodies: Readonly<Record<string, RequestBodyObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** An operation of the document at one of its paths. Its parameters, request body and responses have no references. */
export interface Operation extends Omit<OperationObject, 'parameters' | 'requestBody' | 'responses'> {
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** The current path of the operation. Present only when `path` is an older path. */
  readonly aliasOf?: string;
  readonly method: Method;
  /** The path as the document has it, such as `/api/v1/candidates/{id}`. */
  readonly path: string;
  /** The method and the path, such as `GET /api/v1/candidates/{id}`. */
  readonly name: string;
}

/** Returns the operations of the document. An operation with older paths occurs once for each path. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly Operation[] {
  const resolved = <Part extends object>(
    kind: 'parameters' | 'requestBodies' | 'responses',
    part: Shared<Part>,
  ): Part => {
    if (!('$ref' in part)) return part;
    const component: unknown = components[kind][part.$ref.replace(`#/components/${kind}/`, '')];
    if (!component) throw new Error(`the OpenAPI document has no component ${part.$ref}`);
    return component as Part;
  };
  return Object.entries(paths).flatMap(([first, item]) => {
    const { common, methods } = partsOfPath(item);
    return methods.flatMap(([verb, operation]) => {
      const { requestBody, ...rest } = operation;
      const method = verb.toUpperCase() as Method;
      const parameters = [...common, ...(operation.parameters ?? [])].map((one) => resolved('parameters', one));
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, resolved('responses', response)]),
      );
      return [first, ...olderPathsIn(operation)].map((path) => ({
        ...rest,
        parameters,
        ...(requestBody && { requestBody: resolved('requestBodies', requestBody) }),
        responses,
        method,
        path,
        name: `${method} ${path}`,
        ...(path !== first && { aliasOf: first }),
      }));
    });
  });
}

/** Returns the common parameters of the operations of a path, and its operations by method. */
export function partsOfPath(item: PathItem): {
  readonly common: readonly Shared<ParameterObject>[];
  readonly methods: readonly (readonly [method: string, operation: OperationObject])[];
} {
  const { parameters, ...methods } = item;
  return {
    common: (parameters ?? []) as unknown as readonly Shared<ParameterObject>[],
    methods: Object.entries(methods),
  };
}

function olderPathsIn({ description = '' }: OperationObject): readonly string[] {
  const [, names = ''] = /^Older names: (.*)\.$/m.exec(description) ?? [];
  return [...names.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

/**
 * Returns a schema in which references are replaced by what they refer to, except references of a schema to itself.
 * Keywords beside a reference stay.
 */
export function expanded(document: OpenApiDocument, schema: Json = {}, above: readonly string[] = []): Json {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Json;
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : undefined;
    if (name === undefined) return merged(mapped(value as Json, change));
    if (above.includes(name)) return value;
    return { ...expanded(document, document.components.schemas[name], [...above, name]), ...beside };
  };
  return change(schema) as Json;
}

/** Returns a schema with its own properties and the properties of all schemas that it extends. */
function merged({ allOf = [], ...own }: Json & { readonly allOf?: unknown }): Json {
  return (allOf as readonly Json[]).concat(own).reduce((whole, part) => ({
    ...whole,
    ...part,
    ...(('properties' in whole || 'properties' in part) && {
      properties: { ...(whole['properties'] as Json), ...(part['properties'] as Json) },
    }),
    ...(('required' in whole || 'required' in part) && {
      required: [...new Set([...((whole['required'] ?? []) as string[]), ...((part['required'] ?? []) as string[])])],
    }),
  }));
}

export const mapped = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Returns the description of a parameter of a `GET` operation, or an empty text when it has none. */
export const parameterText = (document: OpenApiDocument, path: string, name: string): string =>
  operationsOf(document)
    .find((operation) => operation.name === `GET /api/v1${path}`)
    ?.parameters.find((parameter) => parameter.name === name)?.description ?? '';

/** Returns the media type, schema and example of the request body, or undefined when there is no body. */
export function bodyOf({ requestBody }: Operation): (MediaTypeObject & { readonly type: string }) | undefined {
  const [content] = Object.entries(requestBody?.content ?? {});
  return content && { type: content[0], ...content[1] };
}

/** Returns the status of the successful answer. For an operation with a dry run, it is the higher one of its two. */
export const successOf = ({ responses }: Operation): number =>
  Number(Object.keys(responses).findLast((status) => status.startsWith('2')));

/**
 * Checks all operations and collects the differences, so that a difference of one operation does not hide those of the
 * others.
 */
export async function eachOperation(
  operations: readonly Operation[],
  applies: (operation: Operation) => boolean,
  check: (operation: Operation) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const operation of operations.filter(applies))
    violations.push(...(await check(operation)).map((violation) => `${operation.name}: ${violation}`));
  return violations;
}

/**
 * Returns the answer of an operation with a status. When the operation does not describe it, returns the answer for
 * common errors.
 */
export const answerOf = ({ responses }: Operation, status: number): ResponseObject | undefined =>
  responses[status] ?? (status >= 400 ? responses['default'] : undefined);

/** A schema of the OpenAPI document. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly 'x-filterable'?: boolean;
}

export const isPublic = ({ security }: Operation): boolean => security?.length === 0;
