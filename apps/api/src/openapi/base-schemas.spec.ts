import { type JsonSchema } from '@ats/domain';
import { expect, test } from '@jest/globals';
import { withBaseSchemas } from './base-schemas.js';

const text = { type: 'string' };
const identity = { id: { type: 'integer' }, uuid: text, url: text, created_dt: text, updated_dt: text };
const NAMES = Object.keys(identity);

const object = (properties: object, required: readonly string[], more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const based = (schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(withBaseSchemas(new Map(Object.entries(schemas))));

test('an item extends the identity, and keeps its own properties and its description', () => {
  const { forms, item } = based({
    forms: object({ ...identity, name: text }, [...NAMES, 'name'], { description: 'A form.' }),
  });
  expect(item).toEqual(object(identity, NAMES));
  expect(forms).toEqual({
    description: 'A form.',
    allOf: [{ $ref: '#/components/schemas/item' }],
    properties: { name: text },
    required: ['name'],
  });
});

test('a schema that requires other properties than its base does is not changed', () => {
  const other = object(identity, ['id']);
  expect(based({ forms: object(identity, NAMES), layouts: other })['layouts']).toEqual(other);
});

test('a schema keeps its required properties when the schema with keys does not extend it', () => {
  const endpoints = object({ name: text }, ['name']);
  const withKeys = object({ name: { type: 'integer' }, key: text }, ['name', 'key']);
  const schemas = based({ endpoints, endpoints_with_keys: withKeys });
  expect(schemas).toMatchObject({ endpoints, endpoints_with_keys: withKeys });
});

test('the body of PUT extends the body of PATCH and adds its required properties', () => {
  const properties = { title: text, location: text };
  const patch = { type: 'object', properties, additionalProperties: false };
  const { vacancies_write: written } = based({
    vacancies_patch: patch,
    vacancies_write: object(properties, ['title'], { additionalProperties: false }),
  });
  expect(written).toEqual({
    allOf: [{ $ref: '#/components/schemas/vacancies_patch' }],
    properties: { title: text },
    required: ['title'],
  });
});

test('most queries share a closed schema, and a query with further properties extends the common parameters', () => {
  const query = (more: object = {}): JsonSchema => ({
    type: 'object',
    properties: { page: text, sort: text, ...more },
    additionalProperties: false,
  });
  const schemas = based({ a_query: query(), b_query: query(), forms_query: query({ resource: text }) });
  expect([schemas['a_query'], schemas['b_query']]).toEqual(
    Array(2).fill({ $ref: '#/components/schemas/collection_query' }),
  );
  expect(schemas['forms_query']).toMatchObject({ properties: { resource: text }, unevaluatedProperties: false });
  expect(schemas['collection_query']).toMatchObject({ unevaluatedProperties: false });
});
