import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer } from './answer.js';
import { type Api, type Method } from './api-harness.js';
import { type Factories } from './factories.js';

type Json = Readonly<Record<string, unknown>>;

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: Json;
}

/** A part of the document, or a reference to a component. */
type Shared<Part> = Part | { readonly $ref: string };

interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json; readonly example?: Json }>>;
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
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaTypeObject>> };
  readonly responses: Readonly<Record<string, Shared<ResponseObject>>>;
}

/** The operations of a path by method. Beside them are the `parameters` that all of them take. */
type PathItem = Readonly<Record<string, OperationObject>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly 'x-tagGroups': readonly { readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly parameters: readonly { readonly $ref: string }[];
          readonly requestBody: { readonly content: Readonly<Record<string, MediaTypeObject>> };
        };
      }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** One operation of the document at one of its paths. Parameters and responses are no references. */
export interface Operation extends Omit<OperationObject, 'parameters' | 'responses'> {
  readonly parameters: readonly ParameterObject[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** The present path, set for an older path only. */
  readonly aliasOf?: string;
  readonly method: Method;
  /** The path as in the document, such as `/api/v1/candidates/{id}`. */
  readonly path: string;
  /** Method and path, such as `GET /api/v1/candidates/{id}`. */
  readonly name: string;
}

/** The operations of the document. An operation with older paths occurs once for each path. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly Operation[] {
  const resolved = <Part extends object>(kind: 'parameters' | 'responses', part: Shared<Part>): Part => {
    if (!('$ref' in part)) return part;
    const component: unknown = components[kind][part.$ref.replace(`#/components/${kind}/`, '')];
    if (!component) throw new Error(`${part.$ref} is not a component`);
    return component as Part;
  };
  return Object.entries(paths).flatMap(([first, item]) => {
    const { common, methods } = partsOfPath(item);
    return methods.flatMap(([verb, operation]) => {
      const method = verb.toUpperCase() as Method;
      const parameters = [...common, ...(operation.parameters ?? [])].map((one) => resolved('parameters', one));
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, resolved('responses', response)]),
      );
      return [first, ...olderPathsIn(operation)].map((path) => ({
        ...operation,
        parameters,
        responses,
        method,
        path,
        name: `${method} ${path}`,
        ...(path !== first && { aliasOf: first }),
      }));
    });
  });
}

/** The parameters that all operations of a path take, and its operations by method. */
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

/** A schema without references, except those of a schema to itself. */
export function expanded(document: OpenApiDocument, schema: Json = {}, above: readonly string[] = []): Json {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { readonly $ref?: unknown };
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : undefined;
    if (name === undefined) return merged(mapped(value as Json, change));
    return above.includes(name) ? value : expanded(document, document.components.schemas[name], [...above, name]);
  };
  return change(schema) as Json;
}

/** A schema with the properties of the bases that it extends. */
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

const mapped = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Description of a parameter of a `GET` operation; empty without one. */
export const parameterText = (document: OpenApiDocument, path: string, name: string): string =>
  operationsOf(document)
    .find((operation) => operation.name === `GET /api/v1${path}`)
    ?.parameters.find((parameter) => parameter.name === name)?.description ?? '';

/** Media type, schema and example of the request body; undefined without a body. */
export function bodyOf({ requestBody }: Operation): (MediaTypeObject & { readonly type: string }) | undefined {
  const [content] = Object.entries(requestBody?.content ?? {});
  return content && { type: content[0], ...content[1] };
}

/** Status of the successful answer. Only a dry run has a lower one. */
export const successOf = ({ responses }: Operation): number =>
  Number(Object.keys(responses).findLast((status) => status.startsWith('2')));

/** Collects the differences of all operations, so that one failure does not hide the others. */
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

/** Headers that any answer may have. The document lists them at its answer to common errors only. */
const COMMON_HEADERS = [
  'X-Request-Id',
  'Api-Version',
  'Content-Language',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Idempotency-Replayed',
];

/** Headers that answers with a status must have. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The answer of an operation with a status, or its answer to common errors. */
export const answerOf = ({ responses }: Operation, status: number): ResponseObject | undefined =>
  responses[status] ?? (status >= 400 ? responses['default'] : undefined);

/** Finds differences between answers and the OpenAPI document. */
export class AnswerChecker {
  // Compiling a validator takes longer than its few runs, so code optimisation is off.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  /** Compiled validators by the text of their schema, because many operations share schemas. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    // TypeScript types the default export of this CommonJS module one level deeper than it is in Jest.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    // As in HTML and in the service, the domain of an e-mail address needs no dot.
    this.#ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/);
    const schemas = withoutFurtherProperties(document.components.schemas);
    this.#ajv.addSchema({ $id: 'openapi', components: { ...document.components, schemas } });
  }

  violationsOf(operation: Operation, answer: Answer): readonly string[] {
    const response = answerOf(operation, answer.status);
    if (!response) return [`the document has no ${answer.status}`];
    const absent = isPublic(operation)
      ? []
      : (HEADERS_OF_STATUS[answer.status] ?? []).filter((name) => answer.headers[name.toLowerCase()] === undefined);
    return [
      ...absent.map((name) => `the header ${name} is missing`),
      ...this.#headerViolations(response, answer),
      ...this.#bodyViolations(response, answer),
    ];
  }

  /** @returns the differences between a value and a schema of the document */
  violationsOfValue(schema: Json, value: unknown): readonly string[] {
    const text = absolute(schema);
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text) as Json);
    this.#validators.set(text, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  }

  #headerViolations({ headers: own = {} }: ResponseObject, answer: Answer): string[] {
    const common = COMMON_HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
    const headers = { ...Object.fromEntries(common), ...own };
    const declared = Object.entries(headers).map(([name, { $ref }]) => ({
      name,
      header: this.document.components.headers[$ref.split('/').at(-1) ?? ''],
    }));
    const violations = declared.flatMap(({ name, header }) => {
      const text = answer.headers[name.toLowerCase()];
      if (!header) return [`the header ${name} is not described`];
      if (text === undefined) return header.required ? [`the header ${name} is missing`] : [];
      return this.violationsOfValue(header.schema, header.schema['type'] === 'integer' ? Number(text) : text).map(
        (violation) => `the header ${name}${violation}`,
      );
    });
    // A header that the document describes must be declared by each answer that has it.
    const undeclared = Object.keys(this.document.components.headers).filter(
      (name) => answer.headers[name.toLowerCase()] !== undefined && !headers[name],
    );
    return [...violations, ...undeclared.map((name) => `the header ${name} is not declared`)];
  }

  #bodyViolations({ content }: ResponseObject, answer: Answer): readonly string[] {
    if (!content) return answer.text === '' ? [] : ['a body that is not declared'];
    const [type = '', { schema } = { schema: {} }] = Object.entries(content)[0] ?? [];
    if (!answer.headers['content-type']?.startsWith(type))
      return [`the type ${answer.headers['content-type']}, not ${type}`];
    return this.violationsOfValue(schema, type === 'application/json' ? answer.json : answer.text);
  }
}

/**
 * A schema without permission for further properties. The document permits them in answers for clients of the future, but
 * an answer of this version has no property that the document does not describe.
 */
export function closed(schema: Json): Json {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const { properties, ...others } = value as Json;
    if (typeof properties !== 'object' || properties === null) return mapped(value as Json, change);
    const further = 'allOf' in others ? { unevaluatedProperties: false } : { additionalProperties: false };
    return { ...further, ...mapped(others, change), properties: mapped(properties as Json, change) };
  };
  return change(schema) as Json;
}

/** The schemas without permission for further properties. Those that others extend stay open. */
function withoutFurtherProperties(schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const extended = JSON.stringify(schemas).matchAll(/"allOf":\[\{"\$ref":"#[^"]*\/(\w+)"/g);
  const bases = new Set([...extended].map(([, name]) => name));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, bases.has(name) ? schema : closed(schema)]),
  );
}

/**
 * The JSON text of a schema. Its `#/components/` references are extended by the id of the OpenAPI document, so that a
 * validator of this schema resolves them.
 */
const absolute = (schema: Json): string => JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');

/** A schema of the OpenAPI document. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly 'x-filterable'?: boolean;
}

export const isPublic = ({ security }: Operation): boolean => security?.length === 0;

/** Reads the document of an API. `scopeless` is a token without scopes. */
export async function openDocument(
  api: Api,
  make: Factories,
): Promise<{
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly checker: AnswerChecker;
  readonly scopeless: string;
}> {
  const document = (await api.request('GET', '/openapi.json', { token: null })).json as OpenApiDocument;
  return {
    document,
    operations: operationsOf(document),
    checker: new AnswerChecker(document),
    scopeless: await make.scopelessToken(),
  };
}
