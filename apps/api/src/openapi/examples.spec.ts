import { expect, test } from '@jest/globals';
import { schemasWithExamples } from './examples.js';

const reference = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object, example?: object): object => ({
  content: { 'application/json': { schema, ...(example && { example }) } },
});
const SCHEMAS = {
  item: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  vacancies: {
    allOf: [reference('item')],
    properties: {
      title: { type: 'string' },
      state: { type: 'string', enum: ['draft', 'open'] },
      closing_date: { type: ['string', 'null'], format: 'date' },
      owner: reference('item'),
      layout_data: { type: 'array', items: {} },
    },
    required: ['title', 'state', 'closing_date', 'owner'],
  },
};

const exampleIn = (operation: object): unknown =>
  schemasWithExamples({
    paths: { '/vacancies': { parameters: [], get: { ...operation } } },
    responses: {},
    requestBodies: {},
    schemas: SCHEMAS,
  })['vacancies']?.['examples'];

test.each([
  ['an item', reference('vacancies')],
  ['a list', { type: 'array', items: reference('vacancies') }],
  ['an item that may be limited', { anyOf: [reference('vacancies'), reference('item')] }],
])('the schema of %s in an answer has an example of all required properties', (_, schema) => {
  expect(exampleIn({ responses: { 200: content(schema) } })).toEqual([
    { id: 12, title: 'Software engineer', state: 'draft', closing_date: null, owner: { id: 12 } },
  ]);
});

test('an example has the values of the request that writes the same properties, where they fit', () => {
  const requestBody = content({}, { title: 'Engineer', state: 'unknown', closing_date: 7 });
  expect(exampleIn({ requestBody, responses: { 201: content(reference('vacancies')) } })).toEqual([
    { id: 12, title: 'Engineer', state: 'draft', closing_date: null, owner: { id: 12 } },
  ]);
});

test('a schema that no successful answer shows has no example', () => {
  expect(exampleIn({ responses: { 400: content(reference('vacancies')) } })).toBeUndefined();
});
