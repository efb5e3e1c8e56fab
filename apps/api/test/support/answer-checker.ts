import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer } from './answer.js';
import { type Api } from './api-harness.js';
import { type Factories } from './factories.js';
import {
  answerOf,
  isPublic,
  type Json,
  mapped,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type ResponseObject,
} from './openapi-document.js';

/** Headers that every answer may have. The document lists them only at its answer for common errors. */
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

/** Headers that answers with certain statuses must have. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Finds differences between answers and the OpenAPI document. */
export class AnswerChecker {
  // Turns off code optimisation, because optimising a validator takes longer than its few runs.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  /** Maps the text of a schema to its compiled validator. Many operations share schemas. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    // The cast is needed because TypeScript sees the export of this CommonJS module one level deeper than Jest does.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    // Allows an e-mail address whose domain has no dot, as HTML and the service do.
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

  /** Returns the differences between a value and a schema of the document. */
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
    // When an answer has a header that the document describes, the description of the answer must list this header.
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
 * Returns a schema that forbids further properties. The document permits them for the sake of future versions, but an
 * answer of this version must have only described properties.
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

/** Returns schemas that forbid further properties. A schema that other schemas extend still permits them. */
function withoutFurtherProperties(schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const extended = JSON.stringify(schemas).matchAll(/"allOf":\[\{"\$ref":"#[^"]*\/(\w+)"/g);
  const bases = new Set([...extended].map(([, name]) => name));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, bases.has(name) ? schema : closed(schema)]),
  );
}

/**
 * Returns the JSON text of a schema. Its `#/components/` references get the id of the OpenAPI document, so that a
 * validator of this schema can resolve them.
 */
const absolute = (schema: Json): string => JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');

/** An OpenAPI document, with its operations and a checker of answers. */
export interface ReadDocument {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly checker: AnswerChecker;
}

/**
 * Maps the text of an OpenAPI document to the document. The spec files of a group share it, because compiling its
 * schemas is slow.
 */
const documents = new Map<string, ReadDocument>();

/** Reads the text of an OpenAPI document. */
export function readDocument(text: string): ReadDocument {
  const known = documents.get(text);
  if (known) return known;
  const document = JSON.parse(text) as OpenApiDocument;
  const read = { document, operations: operationsOf(document), checker: new AnswerChecker(document) };
  documents.set(text, read);
  return read;
}

/** Reads the OpenAPI document of an API. `scopeless` is a token without scopes. */
export async function openDocument(api: Api, make: Factories): Promise<ReadDocument & { readonly scopeless: string }> {
  const { text } = await api.request('GET', '/openapi.json', { token: null });
  return { ...readDocument(text), scopeless: await make.scopelessToken() };
}
