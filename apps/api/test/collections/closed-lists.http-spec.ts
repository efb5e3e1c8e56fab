// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import {
  allResources,
  checkTopicExpression,
  describedValues,
  EVENT_ROOTS,
  getObjectType,
  objectModel,
  type Resource,
} from '@ats/domain';
import { useApi } from '../support/use-api.js';
import { type Json, type OpenApiDocument } from '../support/openapi-document.js';
import { legalValue, nestedPaths, scalarsOf, searchUrl, valuesOf } from './closed-lists.js';

const { api, make } = useApi();
let nested: Readonly<Record<string, string>> = {};
beforeAll(async () => void (nested = await nestedPaths(make)));

const pathOf = ({ name, paths }: Resource): string => nested[name] ?? `/${paths[0]}`;
const resources = allResources().map((resource) => [resource.name, resource] as const);

/** Makes a value that is not in the list, but is most similar to the last value of the list. */
const foreign = (values: readonly string[]): string => `${values.at(-1) ?? ''}x`;

interface Violation {
  readonly parameter?: string;
  readonly path: string;
  readonly code: string;
  readonly info?: string;
}
const violationsOf = async (url: string): Promise<readonly Violation[]> => {
  const { status, problem } = await api.get(url);
  expect(status).toBe(400);
  return problem.errors ?? [];
};

/** Returns a matcher for the text that suggests the last value of a list. */
const nearest = (values: readonly string[]): unknown =>
  values.length > 20
    ? expect.stringContaining(values.at(-1) ?? '')
    : expect.stringContaining(`"${values.at(-1) ?? ''}"?`);

describe.each(resources)('searching %s', (_, resource) => {
  const root = resource.type.name;

  it('accepts each property of the representation that is no object as a key, with a legal value', async () => {
    const conditions: string[] = [];
    for (const { pointer, datapath, schema } of scalarsOf(resource)) {
      const value = legalValue(schema, await valuesOf(api, root, datapath));
      conditions.push(`${pointer}=${value}`, `${datapath}=`);
    }
    for (let at = 0; at < conditions.length; at += 20) {
      const { status, text } = await api.get(searchUrl(pathOf(resource), conditions.slice(at, at + 20)));
      expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    }
  });

  it('refuses values outside closed lists, and suggests the nearest', async () => {
    for (const { pointer, datapath, schema } of scalarsOf(resource)) {
      const values = await valuesOf(api, root, datapath);
      const [known] = (schema['anyOf'] ?? [schema]) as readonly [{ readonly enum?: readonly (string | null)[] }];
      expect([pointer, known.enum?.filter((value) => value !== null)]).toEqual([pointer, values]);
      if (!values) continue;
      const [first = '', other] = [values[0], foreign(values)];
      const refused = [`${pointer}=${other}`, `${datapath}!=${other}`, `${root}.${datapath}={${first},${other}}`];
      const violations = await violationsOf(searchUrl(pathOf(resource), refused));
      expect(violations.map(({ parameter, code }) => [parameter, code])).toEqual(
        refused.map(() => ['search', 'invalid']),
      );
      expect(violations.map(({ info }) => info)).toEqual(refused.map(() => nearest(values)));
      const accepted = [
        `${pointer}={${values.join(',')}}`,
        `${pointer}=`,
        `${pointer}=~${other}`,
        `${datapath}<${other}`,
      ];
      expect((await api.get(searchUrl(pathOf(resource), accepted))).status).toBe(200);
    }
  });

  it('refuses values outside closed lists in filter parameters', async () => {
    for (const name of resource.attributeFilters ?? []) {
      const attribute = resource.type.attributes[name];
      const values = (attribute && describedValues(attribute)) ?? [];
      const [violation] = await violationsOf(`${pathOf(resource)}?${name}=${foreign(values)}`);
      expect(violation).toMatchObject({ parameter: name, code: 'invalid', info: nearest(values) });
      expect((await api.get(`${pathOf(resource)}?${name}=${values[0] ?? ''}`)).status).toBe(200);
    }
  });
});

/**
 * Maps each datapath with a closed list that expressions on a root can use to the values of the list. The datapaths
 * follow at most one relation, with few exceptions.
 */
async function closedBelow(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const { attributes, relations } = getObjectType(root);
  const names = [
    ...Object.keys(attributes),
    ...Object.entries(relations).flatMap(([relation, { target, inFacts }]) =>
      inFacts ? Object.keys(getObjectType(target).attributes).map((name) => `${relation}.${name}`) : [],
    ),
    ...(root === 'application' ? ['main_process_state.state.state', 'main_process_state.state.phase'] : []),
    ...(root === 'notification_delivery' ? ['subscription.topic.type'] : []),
  ];
  for (const name of names) {
    const values = await valuesOf(api, root, name);
    if (values) found.set(`${root}.${name}`, values);
  }
  return found;
}

const expressionsOf = async (
  root: string,
): Promise<{ readonly legal: string; readonly foreign: string; readonly lists: readonly (readonly string[])[] }> => {
  const closed = [...(await closedBelow(root))].slice(0, 30);
  return {
    legal: closed.map(([datapath, values]) => `${datapath} IN {"${values.join('","')}"}`).join(' AND '),
    foreign: closed.map(([datapath, values]) => `${datapath} != "${foreign(values)}"`).join(' OR '),
    lists: closed.map(([, values]) => values),
  };
};

const roots = [...new Map(Object.entries(EVENT_ROOTS).map(([type, root]) => [root, type]))];

describe('an expression', () => {
  test.each(roots)('of a topic about a %s refuses values outside closed lists', async (root, type) => {
    const { legal, foreign: refused, lists } = await expressionsOf(root);
    expect([root, lists.length > 0]).toEqual([root, root !== 'job_board']);
    if (lists.length === 0) return;
    expect((await api.post('/notification_topics', { type, name: 'T', expression: legal })).status).toBe(201);
    const { status, problem } = await api.post('/notification_topics', { type, name: 'T', expression: refused });
    expect([status, problem.errors?.map(({ path, code }) => `${code} ${path}`)]).toEqual([
      422,
      lists.map(() => 'invalid /expression'),
    ]);
    expect(problem.errors?.map(({ info }) => info)).toEqual(lists.map(nearest));
  });

  test('of a scoring rule refuses values outside closed lists', async () => {
    const { legal, foreign: refused, lists } = await expressionsOf('application');
    const rulesOf = (expression: string): object => ({ title: 'V', scoring_rules: [{ expression, points: 1 }] });
    expect((await api.post('/vacancies', rulesOf(legal))).status).toBe(201);
    const { status, problem } = await api.post('/vacancies', rulesOf(refused));
    expect([status, problem.errors?.length]).toEqual([422, lists.length]);
    expect(problem.errors?.map(({ info }) => info)).toEqual(lists.map(nearest));
  });

  test.each([
    ['applications', 'application'],
    ['vacancies', 'vacancy'],
    ['events', 'event'],
  ])('of a form for %s refuses values outside closed lists', async (resource, root) => {
    const { legal, foreign: refused, lists } = await expressionsOf(root);
    const formOf = (visible_if: string): object => ({
      name: 'F',
      resource,
      sections: [{ name: 'S', items: [{ key: 'a', label: 'A', type: 'text', visible_if }] }],
    });
    expect((await api.post('/forms', formOf(legal))).status).toBe(201);
    const { status, problem } = await api.post('/forms', formOf(refused));
    expect([status, problem.errors?.length]).toEqual([422, lists.length]);
    expect(problem.errors?.map(({ info }) => info)).toEqual(lists.map(nearest));
  });
});

/** Properties that have the name of a property with a closed list in the object model, but accept further values. */
const OPEN = [
  'dry_run removed kind', // `kind` can also be a kind of data that is no resource
  'dry_run_remaining resource',
  'problem errors resource', // `resource` can also name an answer that is no resource
  'schema x-relations type',
  'schemas resource',
];

test('the OpenAPI document has an enum for each property with the name of a closed list', async () => {
  const attributes = objectModel.types.flatMap((type) => Object.entries(type.attributes));
  const open = new Set(attributes.flatMap(([name, attribute]) => (describedValues(attribute) ? [] : [name])));
  const closed = new Set(attributes.map(([name]) => name).filter((name) => !open.has(name)));
  const { json } = await api.request('GET', '/openapi.json', { token: null });
  const { schemas } = (json as OpenApiDocument).components;
  const isOpen = (given: Json): boolean => {
    const { $ref } = given;
    const schema = typeof $ref === 'string' ? (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : given;
    return [schema['type']].flat().includes('string') && !('enum' in schema || 'const' in schema);
  };
  const openIn = (part: unknown, place: readonly string[]): readonly string[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { properties = {} } = part as { readonly properties?: Readonly<Record<string, Json>> };
    const found = Object.entries(properties).filter(([name, schema]) => closed.has(name) && isOpen(schema));
    const inner = Object.entries(part).flatMap(([key, below]) =>
      openIn(below, KEYWORDS.has(key) ? place : [...place, key]),
    );
    return [...found.map(([name]) => [...place, name].join(' ')), ...inner];
  };
  expect([...closed]).toEqual(expect.arrayContaining(['outcome', 'kind', 'status']));
  expect(openIn(schemas, [])).toEqual(OPEN);
});

const KEYWORDS = new Set(['properties', 'items', 'additionalProperties']);

test('the OpenAPI document names states, phases and processes, and accepts others', async () => {
  const known = new Set(objectModel.types.flatMap(({ attributes }) => Object.values(attributes)).flatMap(knownFirst));
  expect([...known].sort()).toEqual(['main', 'new', 'submitted']);
  const listsIn = (part: unknown, isOpen: boolean): readonly boolean[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { anyOf, enum: values } = part as { readonly anyOf?: unknown; readonly enum?: readonly unknown[] };
    const own = Array.isArray(values) && known.has(String(values[0])) ? [isOpen] : [];
    const acceptsOthers = JSON.stringify(Array.isArray(anyOf) && anyOf[1]) === '{"type":"string"}';
    return [
      ...own,
      ...Object.values(part).flatMap((inner) => listsIn(inner, acceptsOthers || (Array.isArray(part) && isOpen))),
    ];
  };
  const { json } = await api.request('GET', '/openapi.json', { token: null });
  const lists = listsIn(json, false);
  expect(lists.length).toBeGreaterThan(5);
  expect(lists).toEqual(lists.map(() => true));
});

const knownFirst = ({ known }: { readonly known?: readonly string[] }): readonly string[] => known?.slice(0, 1) ?? [];

describe('stored texts with a value outside a closed list', () => {
  test('of searches keep working, and a write may keep them', async () => {
    const search = ['/process_state/state=hird', '/outcome!=rejected', 'source!==x'];
    for (const path of ['/saved_searches', '/config_searches']) {
      const body = { name: 'S', resource: 'applications', search };
      const refused = await api.post(path, body);
      expect([refused.status, refused.problem.errors?.map(({ path: at }) => at)]).toEqual([
        422,
        ['/search/0', '/search/1', '/search/2'],
      ]);
      const { id } = (await api.post(path, { ...body, search: [] })).item;
      await api.database.query(`UPDATE ${path.slice(1)} SET search = $2 WHERE id = $1`, [id, search]);
      const parameter = path === '/saved_searches' ? 'saved_search' : 'config_search';
      expect((await api.get(`/applications?${parameter}=${id}`)).status).toBe(200);
      const { item } = await api.get(`${path}/${id}`);
      expect(item['search']).toEqual(search);
      const changed = await api.put(`${path}/${id}`, { ...item, search: [...search.slice(1), '/outcome=x'] });
      expect(changed.violations).toEqual(['invalid /search/2']);
      expect((await api.put(`${path}/${id}`, { ...item, name: 'T' })).status).toBe(200);
    }
  });

  test('of topics are still evaluated, and a write may keep them', async () => {
    const expression = 'application.outcome != "rejected"';
    const { id } = await make.topic({ expression: 'application.outcome == "hired"' });
    await api.database.query('UPDATE notification_topics SET expression = $2 WHERE id = $1', [id, expression]);
    const { item } = await api.get(`/notification_topics/${id}`);
    expect(item['expression']).toBe(expression);
    const changed = await api.put(`/notification_topics/${id}`, { ...item, expression: `NOT ${expression}` });
    expect(changed.violations).toEqual(['invalid /expression']);
    expect((await api.put(`/notification_topics/${id}`, { ...item, name: 'T' })).status).toBe(200);
    const context = { now: new Date(), timeZone: 'UTC', valueOf: () => 'hired' };
    expect(checkTopicExpression('STATE_CHANGE_APPLICATION', expression).test(context)).toBe(true);
  });

  test('of forms may be kept by a write', async () => {
    const itemOf = (visible_if: string): object => ({ key: 'a', label: 'A', type: 'text', visible_if });
    const sections = [{ name: 'S', items: [itemOf('application.outcome == "hired"')] }];
    const { id } = (await api.post('/forms', { name: 'F', resource: 'applications', sections })).item;
    await api.database.query(
      `UPDATE form_items SET visible_if = 'application.outcome == "rejected"'
       WHERE section_id IN (SELECT id FROM form_sections WHERE form_id = $1)`,
      [id],
    );
    const { item } = await api.get(`/forms/${id}`);
    const changed = await api.put(`/forms/${id}`, {
      ...item,
      sections: [{ name: 'S', items: [itemOf('application.outcome != "rejected"')] }],
    });
    expect(changed.violations).toEqual(['invalid /sections/0/items/0/visible_if']);
    expect((await api.put(`/forms/${id}`, { ...item, name: 'T' })).status).toBe(200);
  });
});
