import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDocument } from '../support/answer-checker.js';
import { expanded, type OpenApiDocument } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let document: OpenApiDocument;

beforeAll(async () => {
  ({ document } = await openDocument(api, make));
});

/** Returns all objects and lists in the schemas of the components. A schema comes before the schemas inside it. */
function schemasIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const isSchema = 'type' in value && ('properties' in value || 'items' in value);
  return [...(isSchema ? [value] : []), ...Object.values(value).flatMap(schemasIn)];
}

describe('schemas in the document', () => {
  test('are not repeated, but shared', () => {
    const texts = schemasIn(document.components.schemas).map((schema) => JSON.stringify(schema));
    const long = texts.filter((text) => text.length >= 90);
    expect(long.length).toBeGreaterThan(100);
    expect(long.filter((text, place) => long.indexOf(text) !== place)).toEqual([]);
  });

  test('have names after the resource and the property that contain them first', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['applications_layout_data', 'credentials_scopes_value']));
    expect(names.filter((name) => !/^[A-Za-z]+(_[A-Za-z]+)*$/.test(name))).toEqual([]);
  });

  test('refer to another schema when it is equal', () => {
    const { schemas } = document.components;
    expect(schemas['event_applications_write']).toEqual({ $ref: '#/components/schemas/applications_write' });
    expect(expanded(document, schemas['event_applications_write'])).toHaveProperty('properties.opportunity_id');
  });
});

/** Returns every long list of values in a part of the document, as JSON. */
function longListsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const list = 'enum' in value && Array.isArray(value.enum) ? [JSON.stringify(value.enum)] : [];
  return [...list.filter(({ length }) => length >= 150), ...Object.values(value).flatMap(longListsIn)];
}

test('the OpenAPI document has each long list of values once', () => {
  const { paths, components } = document;
  const lists = longListsIn({ paths, components });
  expect(lists.length).toBeGreaterThan(3);
  expect(lists.filter((list, place) => lists.indexOf(list) !== place)).toEqual([]);
  expect(components.schemas['event_type']).toHaveProperty('properties.type', {
    $ref: '#/components/schemas/notification_topics_type',
    description: expect.any(String),
  });
});

test('operations with the same request body refer to one component', () => {
  const bodies = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ requestBody }) => (requestBody && !('$ref' in requestBody) ? [JSON.stringify(requestBody)] : []));
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.filter((body, place) => bodies.indexOf(body) !== place)).toEqual([]);
});
