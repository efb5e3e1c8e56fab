import { type JsonSchema } from '@ats/domain';
import { listOf } from '../request/context-builder.js';
import { DRY_RUN_SCHEMA } from '../vocabulary/operation.js';
import { allScopes, readScopesOfWrite } from '../vocabulary/scopes.js';
import { VERSIONS } from '../versions/versions.js';
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  COMMON_ERRORS,
  ERROR_ANSWER,
  headerReferences,
  PROBLEM_SCHEMA,
  specificErrorsOf,
} from './common.js';
import { EXPORT_TYPES } from '../vocabulary/export-types.js';
import { withBaseSchemas } from './base-schemas.js';
import { accessText, isLimited, limitedName, limitedSchema } from './access.js';
import { schemasWithExamples } from './examples.js';
import { introduction } from './introduction.js';
import { operationIdOf } from './operation-id.js';
import { parametersOf } from './parameters.js';
import { queryBodyOf, requestBodyOf } from './request-body.js';
import { withoutRepeatedTexts, withShortText } from './repeated-texts.js';
import { type DescribedRoute } from './routes.js';
import { shareRepeatedEnums } from './shared-enums.js';
import { type OperationObject, shareRepeatedParts } from './shared-parts.js';
import { reference, shareRepeatedSchemas, withChildren } from './shared-schemas.js';
import { compareTags, tagsOf } from './tags.js';
import { MESSAGE_HEADERS, MESSAGE_RESPONSES, webhooksOf } from './webhooks.js';

interface DocumentOptions {
  readonly baseUrl: string;
  readonly version: string;
  /** True for the documentation site: long texts are whole, and each schema has its descriptions itself. */
  readonly hasFullTexts?: boolean;
}

/**
 * Returns the OpenAPI 3.1 document of one minor version. It follows from the routes, from the schemas of their bodies,
 * and from the changes that the newer versions declare.
 */
export function openApiDocument(
  newest: readonly DescribedRoute[],
  { baseUrl, version, hasFullTexts = false }: DocumentOptions,
): JsonSchema {
  const routes = newest
    .filter(({ operation }) => operation.protocol === undefined)
    // Shortens the texts before the sentences that describe older versions are added.
    .map((route) => (hasFullTexts ? route : { ...route, operation: withShortText(route.operation) }))
    .flatMap((route) => routeAt(version, route) ?? []);
  const schemas = new Map<string, JsonSchema>([['problem', PROBLEM_SCHEMA]]);
  const operations: Record<string, Record<string, OperationObject>> = {};
  const texts = new Map<string, string>();
  for (const route of routes.filter(({ aliasOf }) => aliasOf === undefined).sort(compareRoutes)) {
    const isAlias = ({ method, aliasOf }: DescribedRoute): boolean => aliasOf === route.path && method === route.method;
    const olderPaths = routes.filter(isAlias).map(({ path }) => path);
    (operations[route.path] ??= {})[route.method] = operationOf(route, {
      version,
      schemas,
      texts,
      olderPaths,
    });
  }
  const { requestBodies, responses, ...shared } = shareRepeatedParts(operations);
  const webhooks = webhooksOf(baseUrl, (name, schema) => register(schemas, name, withFurtherProperties(schema)));
  const { paths, parameters, ...components } = shareRepeatedEnums({
    ...shared,
    schemas: shareRepeatedSchemas(withBaseSchemas(schemas)),
  });
  const described = hasFullTexts ? components.schemas : withoutRepeatedTexts(components.schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'Applicant tracking service', version, description: introduction(baseUrl, version) },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { basic: [] }, { oauth2: [] }],
    ...tagsOf(new Set(routes.map(({ operation }) => operation.tag))),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a credential.' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as user name, with an empty password.' },
        oauth2: {
          type: 'oauth2',
          description:
            'An access token. Clients get it with the key id and the token of a credential. `GET /scopes` describes ' +
            'the scopes.',
          flows: {
            clientCredentials: {
              tokenUrl: `${baseUrl}/oauth/token`,
              scopes: Object.fromEntries(allScopes().map((scope) => [scope, ''])),
            },
          },
        },
      },
      headers: ANSWER_HEADERS,
      parameters: { ...parameters, ...MESSAGE_HEADERS },
      requestBodies,
      responses: { ...responses, ...MESSAGE_RESPONSES, [ERROR_ANSWER]: COMMON_ERRORS },
      schemas: sorted(schemasWithExamples({ paths, responses, requestBodies, schemas: described })),
    },
  };
}

/** Returns the route as this version serves it. Undefined when this version does not have the route. */
function routeAt(version: string, route: DescribedRoute): DescribedRoute | undefined {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const endpoint = route.operation.takesQueryInBody ? listOf(path) : { method: route.method.toUpperCase(), path };
  const operation = VERSIONS.operationAt(version, endpoint, route.operation);
  const isServed =
    operation.compatibilityFlag === undefined ||
    VERSIONS.compatibilityFlagsAt(version).has(operation.compatibilityFlag);
  return isServed ? { ...route, operation } : undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Orders a collection before its items, and items before the paths below them. Methods of a path follow the order of
 * `METHODS`.
 */
function compareRoutes(a: DescribedRoute, b: DescribedRoute): number {
  const place = compareTags(a.operation.tag, b.operation.tag);
  if (place !== 0) return place;
  // Replaces `{` by a space, which sorts before every letter, so that `/x/{id}` comes before the other paths below
  // `/x`.
  const [left, right] = [a, b].map(({ path }) => path.replaceAll('{', ' '));
  if (left !== right && left !== undefined && right !== undefined) return left < right ? -1 : 1;
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

const sorted = (components: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Adds a schema to the components. Each of its `$defs` becomes a component `<name>_<definition>`, because some
 * generators do not read `$defs`. Drops these keywords:
 * - `$schema`, because the OpenAPI document declares the dialect for all schemas
 * - `title`, because it repeats the name
 * - `DETAILS`, which are long; only `GET /schemas/{resource}` has them
 */
function register(schemas: Map<string, JsonSchema>, name: string, schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, title: _title, $defs, ...described } = schema;
  const part = withoutDetails(described);
  for (const [definition, inner] of Object.entries(($defs ?? {}) as Readonly<Record<string, JsonSchema>>))
    register(schemas, `${name}_${definition}`, inner);
  const known = schemas.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(part))
    throw new Error(`two different schemas have the name ${name}`);
  schemas.set(name, part);
  return reference(name);
}

const DETAILS = ['x-datapath', 'x-elements', 'x-error-codes', 'x-filterable', 'x-labels', 'x-relations', 'x-sortable'];

const withoutDetails = (schema: JsonSchema): JsonSchema =>
  withChildren(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DETAILS.includes(keyword))),
    withoutDetails,
  );

/**
 * Allows further properties in the schema of an answer. The service adds some without a new minor version, and a client
 * that was generated from the document must not refuse them.
 */
const withFurtherProperties = (schema: JsonSchema): JsonSchema => {
  const { additionalProperties, $defs, ...open } = schema;
  return {
    ...withChildren(open, withFurtherProperties),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(typeof $defs === 'object' && {
      $defs: Object.fromEntries(
        Object.entries($defs as Readonly<Record<string, JsonSchema>>).map(([name, inner]) => [
          name,
          withFurtherProperties(inner),
        ]),
      ),
    }),
  };
};

interface OperationContext {
  readonly version: string;
  readonly schemas: Map<string, JsonSchema>;
  /** Maps a description to a link to the first operation that has it. */
  readonly texts: Map<string, string>;
  /** Older paths of the operation, which still work. */
  readonly olderPaths: readonly string[];
}

function operationOf(route: DescribedRoute, context: OperationContext): OperationObject {
  const { version, schemas } = context;
  const { isPublic, operation } = route;
  return {
    operationId: operationIdOf(route),
    summary: operation.summary,
    description: descriptionOf(route, context),
    tags: [operation.tag],
    ...(isPublic && { security: [] }),
    parameters: parametersOf(route, version),
    ...(operation.body && {
      requestBody: requestBodyOf(operation.body, (name, schema) => register(schemas, name, schema)),
    }),
    ...(operation.takesQueryInBody && {
      requestBody: queryBodyOf(operation, (name, schema) => register(schemas, name, schema)),
    }),
    responses: { ...answersOf(route, schemas), ...errorAnswersOf(route, schemas) },
  };
}

/**
 * Maximum length in characters of a description that each operation repeats. A longer description stands only at the
 * first operation that has it. The others refer to this operation.
 */
const LONGEST_REPEATED = 100;

function descriptionOf(route: DescribedRoute, { texts, olderPaths }: OperationContext): string {
  const { operation } = route;
  const id = operationIdOf(route);
  const name = `[${id}](#operation/${id})`;
  const first = texts.get(operation.description ?? '') ?? name;
  if (operation.description !== undefined) texts.set(operation.description, first);
  const isRepeated = first !== name && String(operation.description).length > LONGEST_REPEATED;
  const whole = isRepeated ? `The rules are those of ${first}.` : (operation.description ?? '');
  const paths = olderPaths.map((older) => `\`${older}\``).join(', ');
  const older = olderPaths.length > 0 && `Older names: ${paths}.`;
  return [!operation.takesQueryInBody && whole, accessText(route), older].filter(Boolean).join('\n\n');
}

const json = (schema: JsonSchema, example?: object): JsonSchema => ({
  'application/json': { schema, ...(example && { example }) },
});
const headersOf = (...names: readonly AnswerHeader[]): JsonSchema =>
  names.length > 0 ? { headers: headerReferences(names) } : {};

function answersOf(route: DescribedRoute, schemas: Map<string, JsonSchema>): Record<string, JsonSchema> {
  const { method, operation } = route;
  const { answer } = operation;
  const { status, description, schema, text, headers = [] } = answer;
  const whole = schema && register(schemas, schema.name, withFurtherProperties(schema.schema));
  const limited = isLimited(route) ? limitedSchema(operation) : undefined;
  const dry = operation.dryRun && register(schemas, DRY_RUN_SCHEMA.name, withFurtherProperties(DRY_RUN_SCHEMA.schema));
  const bodies = [
    whole ?? [],
    limited ? register(schemas, limitedName(operation), withFurtherProperties(limited)) : [],
    dry && status === 200 ? dry : [],
  ].flat();
  const item = bodies.length > 1 ? { anyOf: bodies } : whole;
  const content = {
    ...(item && json(schema?.isList ? { type: 'array', items: item } : item)),
    ...(text && { [text]: { schema: { type: 'string' } } }),
    ...(answer.isExported &&
      Object.fromEntries(Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: 'string' } }]))),
  };
  return {
    [status]: {
      description,
      ...headersOf(
        ...headers.map((name) =>
          name === 'ETag' && readScopesOfWrite(route.scopes ?? []).length > 0 ? 'ETag-If-Readable' : name,
        ),
      ),
      ...(Object.keys(content).length > 0 && { content }),
    },
    ...(dry &&
      status !== 200 && {
        200: {
          description: 'The answer to a dry run: everything that the same request would remove without `dry_run`.',
          ...headersOf('ETag-If-Readable'),
          content: json(dry),
        },
      }),
    ...(method === 'get' &&
      headers.includes('ETag') && {
        304: {
          description: 'The item still has the `ETag` in `If-None-Match`.',
          ...headersOf('ETag'),
        },
      }),
  };
}

function errorAnswersOf(route: DescribedRoute, schemas: Map<string, JsonSchema>): Record<string, JsonSchema> {
  const { unavailable } = route.operation;
  return {
    ...Object.fromEntries(
      specificErrorsOf(route).map(({ status, description, headers = [] }) => [
        status,
        { description, ...headersOf(...headers), content: json(reference('problem')) },
      ]),
    ),
    ...(unavailable && {
      503: {
        description: unavailable.description,
        content: json(register(schemas, unavailable.schema.name, unavailable.schema.schema)),
      },
    }),
    default: { $ref: `#/components/responses/${ERROR_ANSWER}` },
  };
}
