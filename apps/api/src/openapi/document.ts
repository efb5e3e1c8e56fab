import { type JsonSchema } from '@ats/domain';
import { z } from 'zod';
import { API_VERSIONS, LANGUAGES } from '../http/negotiation.js';
import { type QueryParameter } from '../http/operation.js';
import { ANSWER_HEADERS, COMMON_ANSWER_HEADERS, errorsOf, PROBLEM_SCHEMA } from './common.js';
import { type DescribedRoute } from './routes.js';

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const headersOf = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The whole interface as an OpenAPI 3.1 document, made from the routes and the schemas that check and build their bodies. */
export function openApiDocument(routes: readonly DescribedRoute[], baseUrl: string): JsonSchema {
  const schemas = new Map<string, JsonSchema>([['problem', PROBLEM_SCHEMA]]);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route, schemas);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'Applicant tracking service', version: API_VERSIONS.at(-1), description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...new Set(routes.map(({ operation }) => operation.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a credential.' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as user name, the password empty.' },
      },
      headers: ANSWER_HEADERS,
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operationOf({ method, path, isPublic, scope, operation }: DescribedRoute, schemas: Map<string, JsonSchema>): JsonSchema {
  const { summary, description, tag, body, answer } = operation;
  const { status, schema, headers = [] } = answer;
  if (schema) schemas.set(schema.name, schema.schema);
  if (body) schemas.set(body.name, z.toJSONSchema(body.schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' }));
  const content = schema && { 'application/json': { schema: schema.isList ? { type: 'array', items: reference(schema.name) } : reference(schema.name) } };
  return {
    operationId: operationIdOf(method, path),
    summary,
    ...(scope ? { description: [description, `Needs the scope \`${scope}\`.`].filter(Boolean).join('\n\n') } : description && { description }),
    tags: [tag],
    ...(isPublic && { security: [] }),
    parameters: [...pathParameters(path), ...queryParameters(operation.query ?? []), ...(isPublic ? [] : headerParameters(method, headers))],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: reference(body.name) } } } }),
    responses: {
      [status]: { description: answer.description, headers: headersOf([...COMMON_ANSWER_HEADERS, ...headers]), ...(content && { content }) },
      ...(method === 'get' && headers.includes('ETag') && { 304: { description: 'It is still what `If-None-Match` says.', headers: headersOf(COMMON_ANSWER_HEADERS) } }),
      ...Object.fromEntries(
        errorsOf({ method, path, isPublic, operation }).map(([code, text]) => [
          code,
          { description: text, headers: headersOf(COMMON_ANSWER_HEADERS), content: { 'application/json': { schema: reference('problem') } } },
        ]),
      ),
    },
  };
}

const operationIdOf = (method: string, path: string): string =>
  [method, ...path.replace('/api/v1', '').split('/').filter(Boolean).map((part) => part.replace(/^\{(\w+)\}$/, 'by_$1').replaceAll(/\W/g, '_'))].join('_');

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: name?.toLowerCase().endsWith('id') ? { type: 'integer', minimum: 1 } : { type: 'string' } }));

const queryParameters = (parameters: readonly QueryParameter[]): JsonSchema[] => parameters.map((parameter) => ({ ...parameter, in: 'query', required: false }));

function headerParameters(method: string, answerHeaders: readonly string[]): JsonSchema[] {
  const header = (name: string, description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({ name, in: 'header', required: false, description, schema });
  return [
    header('Api-Version', 'Minor version; the credential’s own, else the latest stable one.', { type: 'string', enum: API_VERSIONS }),
    header('Accept-Language', `Language of names and texts: ${LANGUAGES.join(', ')}.`),
    ...(method === 'post' ? [header('Idempotency-Key', 'Repeats of the request with this key get the first answer, for 24 hours.', { type: 'string', minLength: 1, maxLength: 255 })] : []),
    ...(method === 'put' || method === 'delete' ? [header('If-Match', 'The `ETag` of the item as you know it: 412 when it has changed since.')] : []),
    ...(method === 'get' && answerHeaders.includes('ETag') ? [header('If-None-Match', 'The `ETag` that you have: 304 when it still holds.')] : []),
  ];
}

const INTRODUCTION = `Recruitment data over JSON, and signed notifications of what happens to it.

Every request carries a token, as \`Authorization: Bearer <token>\` or as the user name of Basic authentication. Collections are
arrays; follow the addresses of the \`Link\` header from page to page. Errors have a \`message\`, a \`request_id\` and, where a body
or a parameter is at fault, \`errors\` with a pointer to each fault.`;

