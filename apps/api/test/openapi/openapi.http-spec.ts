// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { BASE_URL } from '../support/api-harness.js';
import { startLimited } from '../limits/limited-api.js';
import { CONTRACT_FIELDS, NULLABLE_OBJECTS, type ContractField } from './contract-fields.js';
import { type AnswerChecker, openDocument } from '../support/answer-checker.js';
import {
  answerOf,
  bodyOf,
  eachOperation,
  expanded,
  isPublic,
  type OpenApiDocument,
  partsOfPath,
  type Operation,
  type Schema,
} from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let document: OpenApiDocument;
let operations: readonly Operation[];
let checker: AnswerChecker;
let scopeless: string;

beforeAll(async () => {
  ({ document, operations, checker, scopeless } = await openDocument(api, make));
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const result = await new Validator().validate(structuredClone({ ...document }));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  test('describes exactly the routes of the API', () => {
    // HEAD is left out, because Fastify adds it to each GET and the document does not describe it. The requests of
    // resumable uploads are left out, because the protocol tus describes them.
    const routes = api.routes
      .filter(({ method, url }) => method !== 'HEAD' && !/\/documents\/uploads\b/.test(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name).sort()).toEqual(routes.sort());
  });

  test('describes an operation once, and names its older paths', () => {
    const older = operations.filter(({ aliasOf }) => aliasOf !== undefined);
    expect(older.length).toBeGreaterThan(30);
    expect(older.filter(({ path }) => path in document.paths)).toEqual([]);
    expect(older.filter(({ path, description }) => !description?.includes(`\`${path}\``))).toEqual([]);
  });

  test('has no definitions inside schemas, which some generators do not read', () => {
    expect(JSON.stringify(document)).not.toContain('$defs');
    expect(document.components.schemas['notification_explanation_part']).toBeDefined();
  });

  test('describes the common errors once', () => {
    for (const detail of ['x-relations', 'x-error-codes', 'x-datapath', 'x-sortable', 'x-filterable'])
      expect(document.components.schemas['candidates']).not.toHaveProperty(detail);
    expect(JSON.stringify(document.components.schemas['candidates'])).not.toContain('x-datapath');
    const { description = '', headers = {} } = document.components.responses['Error'] ?? {};
    for (const status of [400, 401, 403, 404, 406, 409, 411, 412, 413, 415, 422, 429, 503])
      expect(description).toContain(`- ${status}: `);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'Retry-After', 'WWW-Authenticate']));
    expect(new Set(operations.map(({ responses }) => responses['default']))).toEqual(
      new Set([document.components.responses['Error']]),
    );
  });

  test('repeats no parameter and no response', () => {
    const parts = Object.values(document.paths)
      .map(partsOfPath)
      .flatMap(({ common, methods }) => [
        ...common,
        ...methods.flatMap(([, { parameters = [], responses }]) => [...parameters, ...Object.values(responses)]),
      ]);
    const inline = parts.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
    expect(inline.length).toBeGreaterThan(50);
    expect(inline.filter((text, place) => inline.indexOf(text) !== place)).toEqual([]);
  });

  test('gives every operation one known tag, and groups the tags in order', () => {
    const tags = document.tags.map(({ name }) => name);
    const grouped = document['x-tagGroups'].flatMap((group) => group.tags);
    expect(
      operations
        .filter((operation) => operation.tags.length !== 1 || !operation.tags.every((tag) => tags.includes(tag)))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(grouped).toEqual(tags);
    expect([tags[0], tags.at(-1)]).toEqual(['applications', 'health']);
  });

  test('has a valid example for every request body', async () => {
    const violations = await eachOperation(
      operations,
      ({ requestBody }) => requestBody !== undefined,
      (operation) => {
        const { schema = {}, example } = bodyOf(operation) ?? {};
        return Promise.resolve(example ? checker.violationsOfValue(schema, example) : ['no example']);
      },
    );
    expect(violations).toEqual([]);
  });

  test('links only to existing operations', () => {
    const links = [...JSON.stringify(document).matchAll(/#operation\/([\w.]+)/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((id) => !operations.some(({ operationId }) => operationId === id))).toEqual([]);
  });

  test('has the server PUBLIC_BASE_URL and no external references', () => {
    expect(document).toMatchObject({ servers: [{ url: BASE_URL }] });
    expect(
      [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
        .map(([, target]) => target)
        .filter((target) => !target?.startsWith('#/')),
    ).toEqual([]);
  });
});

const LIMIT_HEADERS = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

describe('every operation that needs a credential', () => {
  test('answers 429 above the rate limit, with the documented body and headers', async () => {
    const limited = await startLimited(api, { RATE_LIMIT: 1, RATE_LIMIT_WINDOW: 3_600 });
    try {
      await limited.get('/me');
      const violations = await eachOperation(
        operations,
        (operation) => !isPublic(operation),
        async (operation) => {
          const answer = await limited.request(operation.method, operation.path.replaceAll(/\{\w+\}/g, '1'));
          const { headers = {}, content = {} } = answerOf(operation, 429) ?? {};
          const unsaid = LIMIT_HEADERS.filter(
            (name) => !headers[name] || answer.headers[name.toLowerCase()] === undefined,
          );
          const { schema = {}, example } = content['application/json'] ?? {};
          return answer.status === 429
            ? [...checker.violationsOf(operation, answer), ...checker.violationsOfValue(schema, example), ...unsaid]
            : [`${answer.status} instead of 429`];
        },
      );
      expect(violations).toEqual([]);
    } finally {
      await limited.app.close();
    }
  });
});

describe('GET /schemas', () => {
  const schemaOf = async (resource: string): Promise<Schema> => (await api.get(`/schemas/${resource}`)).json as Schema;

  test('lists every resource with the URL of its schema, for any credential', async () => {
    const answer = await api.get('/schemas', { token: scopeless });
    const listed = answer.json as readonly { readonly resource: string; readonly url: string }[];
    expect(listed.map(({ resource }) => resource)).toEqual(
      expect.arrayContaining([...CONTRACT_FIELDS.map(([resource]) => resource)]),
    );
    for (const { resource, url } of listed) {
      expect(url).toBe(`${BASE_URL}/api/v1/schemas/${resource}`);
      expect([resource, (await api.get(`/schemas/${resource}`, { token: scopeless })).status]).toEqual([resource, 200]);
    }
  });

  test('is in English with Content-Language en, for any requested language', async () => {
    const { headers } = await api.get('/schemas/applications', { headers: { 'accept-language': 'de' } });
    expect(headers['content-language']).toBe('en');
  });

  test.each(['unknown', 'Applications', '__proto__', 'constructor', '%00'])(
    'answers 404 to the name %s',
    async (name) => {
      expect((await api.get(`/schemas/${name}`)).status).toBe(404);
    },
  );

  test.each([
    ['POST', '/applications', ['opportunity_not_open', 'not_visible'], ['anonymised', 'in_use']],
    ['PUT', '/event_applications/{id}', ['opportunity_not_open', 'not_visible'], ['anonymised', 'in_use']],
    ['POST', '/applications/{id}/form_values', ['not_visible', 'anonymised'], ['opportunity_not_open']],
    ['POST', '/vacancies/{id}/form_values', ['not_visible'], ['anonymised']],
    ['POST', '/applications/{id}/copy', ['opportunity_not_open', 'anonymised'], ['not_visible']],
    ['PUT', '/vacancies/{id}', [], ['not_visible', 'in_use']],
  ])('names the codes that %s %s answers with, and no others', (method, path, codes, others) => {
    const operation = operations.find((one) => one.method === method && one.path.endsWith(`/v1${path}`));
    const { description = '' } = (operation?.responses['422'] ?? {}) as { readonly description?: string };
    for (const code of codes) expect(description).toContain(`\`${code}\``);
    for (const code of others) expect(description).not.toContain(`\`${code}\``);
  });

  test.each(['applications', 'event_applications', 'vacancies', 'events'])(
    'lists not_visible among the codes of %s',
    async (name) => {
      expect((await api.get(`/schemas/${name}`)).json).toMatchObject({
        'x-error-codes': { not_visible: expect.any(String) },
      });
    },
  );

  test('has the descriptions of the models in schemas for reading and for writing', async () => {
    const { properties } = await schemaOf('vacancies');
    const written = expanded(document, document.components.schemas['vacancies_write']) as Schema;
    expect([properties?.['openings']?.description, properties?.['owner']?.description]).toEqual([
      expect.stringContaining('people'),
      expect.stringContaining('recruiter'),
    ]);
    expect([written.properties?.['openings'], written.properties?.['owner_id']]).toMatchObject([
      { description: properties?.['openings']?.description },
      { description: properties?.['owner']?.description },
    ]);
  });

  describe('has the promised fields', () => {
    const TYPES: Readonly<Record<ContractField['type'], readonly [type: string, format?: string] | null>> = {
      i: ['integer'],
      n: ['number'],
      s: ['string'],
      b: ['boolean'],
      d: ['string', 'date'],
      dt: ['string', 'date-time'],
      's[]': ['array'],
      any: null,
    };
    const at = (schema: Schema, pointer: string): Schema | undefined =>
      pointer
        .split('/')
        .reduce<Schema | undefined>((found, name) => (name === '*' ? found?.items : found?.properties?.[name]), schema);
    const violationOf = (schema: Schema, { pointer, type, isNullable, isFilterable }: ContractField): string[] => {
      const found = at(schema, pointer);
      if (!found) return [`/${pointer} is missing`];
      const [name, format] = TYPES[type] ?? [];
      // A list of table rows has two alternatives of the same type: the documented values, and any value.
      const types = [...new Set((found.anyOf ?? [found]).flatMap(({ type }) => type))];
      const isReferenced = pointer.includes('/') && !pointer.includes('*');
      return [
        ...(name && (!types.includes(name) || (format && found.format !== format))
          ? [`/${pointer} is ${types.join()} ${found.format ?? ''}`]
          : []),
        ...(name && types.includes('null') !== isNullable
          ? [`/${pointer} is ${isNullable ? 'never' : 'sometimes'} null`]
          : []),
        ...(isFilterable && !found['x-filterable'] ? [`/${pointer} is not filterable`] : []),
        ...(!isFilterable && found['x-filterable'] && isReferenced ? [`/${pointer} is filterable`] : []),
      ];
    };

    test.each(CONTRACT_FIELDS)('%s', async (resource, fields) => {
      const schema = await schemaOf(resource);
      expect(fields.flatMap((field) => violationOf(schema, field))).toEqual([]);
      const objects = Object.entries(schema.properties ?? {}).filter(([, { properties }]) => properties);
      const nullable = objects.filter(([, { type }]) => [type].flat().includes('null')).map(([name]) => name);
      expect(nullable.sort()).toEqual([...(NULLABLE_OBJECTS[resource] ?? [])].sort());
    });
  });
});
