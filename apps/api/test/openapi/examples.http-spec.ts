import { beforeAll, describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../../src/versions/versions.js';
import { AnswerChecker, openDocument } from '../support/answer-checker.js';
import {
  expanded,
  type Json,
  mapped,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Schema,
} from '../support/openapi-document.js';
import { MORE_RULES } from '../../src/openapi/repeated-texts.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let document: OpenApiDocument;
let operations: readonly Operation[];
let checker: AnswerChecker;

beforeAll(async () => {
  ({ document, operations, checker } = await openDocument(api, make));
});

/** Returns the schema that an answer shows, or whose items it lists. Undefined when the schema has no example. */
function shownBy({ components }: OpenApiDocument, answer: Json): Json | undefined {
  const listed = answer['type'] === 'array' ? (answer['items'] as Json) : answer;
  let [shown = listed] = (listed['anyOf'] ?? []) as readonly Json[];
  while (typeof shown['$ref'] === 'string') shown = components.schemas[shown['$ref'].split('/').at(-1) ?? ''] ?? {};
  return Array.isArray(shown['examples']) ? shown : undefined;
}

/** Returns the example of a message that tools derive: from the examples of its properties, and from constants. */
function exampleOf(message: Json): Json {
  const { properties = {} } = expanded(document, message) as Schema;
  return mapped(properties, (property) => {
    const { const: fixed, examples = [] } = property as { const?: unknown; examples?: unknown[] };
    return fixed ?? examples[0];
  });
}

describe('the OpenAPI document', () => {
  test('has a webhook for each event type, with the schema, the example and the headers of its messages', async () => {
    const types = (await api.get('/event_types')).json as readonly {
      readonly type: string;
      readonly example: object;
    }[];
    expect(Object.keys(document.webhooks)).toEqual(types.map(({ type }) => type));
    // All messages have the same headers. Only the first webhook lists them.
    const [first, ...others] = types.map(({ type }) => document.webhooks[type]?.post);
    const names = first?.parameters?.map(
      ({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? '']?.name,
    );
    expect(names).toEqual(expect.arrayContaining(['X-Service-Notify-Signature', 'Webhook-Id']));
    expect(first?.description).toContain('Messages of all types have the headers below.');
    expect(first?.description).toContain('with `batch` has an array of messages.');
    expect(others.filter((post) => post?.parameters !== undefined)).toEqual([]);
    for (const { type, example } of types) {
      const { requestBody } = document.webhooks[type]?.post ?? {};
      const { schema = {} } = requestBody?.content['application/json'] ?? {};
      expect(checker.violationsOfValue(schema, example)).toEqual([]);
      expect(checker.violationsOfValue(schema, { ...example, details: {} })).not.toEqual([]);
      expect(exampleOf(schema)).toEqual(example);
    }
  });

  test('has a valid example for every successful answer and every list, in each version', async () => {
    for (const version of VERSIONS.versions) {
      const { json } = await api.request('GET', `/openapi.json?version=${version}`, { token: null });
      const described = json as OpenApiDocument;
      const check = new AnswerChecker(described);
      const schemas = operationsOf(described).flatMap(({ name, responses }) =>
        Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([status, { content }]) => {
            const schema = content?.['application/json']?.schema;
            return schema ? [{ name: `${version} ${name} ${status}`, schema }] : [];
          }),
      );
      expect(schemas.length).toBeGreaterThan(250);
      const violations = schemas.map(({ name, schema }) => {
        const shown = shownBy(described, schema);
        return [name, shown ? check.violationsOfValue(shown, (shown['examples'] as unknown[])[0]) : ['no example']];
      });
      expect(violations.filter(([, found]) => found?.length !== 0)).toEqual([]);
    }
  });

  test('has the first paragraph of very long rules, and names the page of the site with the others', () => {
    const shortened = operations.filter(({ description }) => description?.includes(`\n\n${MORE_RULES}`));
    expect(shortened.length).toBeGreaterThan(5);
    for (const { description = '' } of shortened) expect(description.split(MORE_RULES)[0]?.length).toBeGreaterThan(30);
  });

  test.each(VERSIONS.versions)('has less than 500 kB in version %s', async (version) => {
    const { text } = await api.request('GET', `/openapi.json?version=${version}`, { token: null });
    expect((JSON.parse(text) as OpenApiDocument).info.version).toBe(version);
    expect(Buffer.byteLength(text)).toBeLessThan(500_000);
  });
});
