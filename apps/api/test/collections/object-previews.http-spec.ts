// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

interface ObjectPreview {
  readonly count: number | null;
  readonly items: readonly {
    readonly id: number;
    readonly url: string | null;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
}

const TYPE = 'STATE_CHANGE_APPLICATION';
const TOPICS = '/notification_topics/objects/preview';
const previewOf = (answer: Answer): ObjectPreview => expectStatus(200, answer).json as ObjectPreview;
const preview = async (path: string, body: object, options?: RequestOptions): Promise<ObjectPreview> =>
  previewOf(await api.post(path, body, options));
const idsIn = ({ items }: ObjectPreview): readonly number[] => items.map(({ id }) => id);

let vacancy: Item;
let other: Item;
let form: Item;
/** The applications that all tests use: two to the vacancy, one to the other vacancy, and one to an event. */
let first: Item;
let second: Item;
let elsewhere: Item;
let registration: Item;
let rules: string;
let conditions: string;

beforeAll(async () => {
  [vacancy, other] = [await make.vacancy(), await make.vacancy()];
  form = await make.form({
    opportunity_ids: [vacancy.id],
    sections: [
      {
        name: 'Licences',
        items: [
          { key: 'has_licence', label: 'Licence', type: 'boolean' },
          { key: 'points', label: 'Points', type: 'integer' },
        ],
      },
    ],
  });
  const candidate = await make.candidate({ firstname: 'Ann', tags: ['maths', 'logic'] });
  first = await make.application({ opportunity_id: vacancy.id, user_id: candidate.id, source: 'fair', rating: 4 });
  second = await make.application({ opportunity_id: vacancy.id, source: 'web' });
  elsewhere = await make.application({ opportunity_id: other.id, source: 'fair', rating: 5 });
  registration = await make.eventApplication({ source: 'fair' });
  const ids = itemIdsOf(form);
  const values = [
    { item_id: ids['has_licence'], value: true },
    { item_id: ids['points'], value: 3 },
  ];
  expectStatus(200, await forms.write(first, values));
  rules = `/vacancies/${vacancy.id}/scoring_rules/preview`;
  conditions = `/forms/${form.id}/conditions/preview`;
});

describe('a preview of objects', () => {
  test('for a topic: counts and shows all objects of the event type that match now, with their values', async () => {
    expect(await preview(TOPICS, { type: TYPE, expression: 'application.source == "fair"' })).toEqual({
      count: 3,
      items: [first, elsewhere, registration].map(({ id, url }) => ({
        id,
        url,
        values: { 'application.source': 'fair' },
      })),
    });
  });

  test('for a scoring rule: has only applications to the opportunity', async () => {
    const expression = 'application.source == "fair" OR application.candidate.tags == "logic"';
    expect(await preview(rules, { expression })).toEqual({
      count: 1,
      items: [
        {
          id: first.id,
          url: first.url,
          values: { 'application.source': 'fair', 'application.candidate.tags': ['maths', 'logic'] },
        },
      ],
    });
  });

  test('for a form condition: has only objects of the form, and names its items by key or id', async () => {
    const { points } = itemIdsOf(form);
    const expression = `application.formdata.has_licence AND application.formdata.${points} >= 3`;
    expect(await preview(conditions, { expression })).toEqual({
      count: 1,
      items: [
        {
          id: first.id,
          url: first.url,
          values: { 'application.formdata.has_licence': true, [`application.formdata.${points}`]: 3 },
        },
      ],
    });
    expect(idsIn(await preview(conditions, { expression: 'application.formdata.has_licence == NULL' }))).toEqual([
      second.id,
    ]);
    // A text that looks like a datapath is still a text.
    const quoted = 'application.source == "application.formdata.points" OR application.formdata.points:1:1 == 3';
    expect(idsIn(await preview(conditions, { expression: quoted }))).toEqual([first.id]);
  });

  test('for a form condition: has all vacancies when the form has no `opportunity_ids`', async () => {
    const { id } = await make.form({ resource: 'vacancies' });
    const expression = `vacancy.id IN (${vacancy.id}, ${other.id})`;
    const found = await preview(`/forms/${id}/conditions/preview`, { expression });
    expect(idsIn(found)).toEqual([vacancy.id, other.id]);
  });

  test.each([
    'application.rating >= 4',
    'NOT (application.rating >= 4)',
    'application.rating == NULL OR application.user.firstname == "Ann"',
    'application.candidate.tags NOT IN ("logic")',
    'application.created_dt >= DATE("today") - DTDURATION(1,0,0,0)',
    'application.opportunity.title =~ "e"',
  ])('has the objects that `where` finds: %s', async (expression) => {
    const search = encodeURIComponent(`opportunity.id={${vacancy.id},${other.id}}`);
    const found = await api.get(`/applications?search=${search}&where=${encodeURIComponent(expression)}&sort=id!asc`);
    const limited = `(${expression}) AND application.opportunity.id IN (${vacancy.id}, ${other.id})`;
    const shown = await preview(TOPICS, { type: TYPE, expression: limited });
    expect(idsIn(shown)).toEqual(found.items.map(({ id }) => id));
    expect(String(shown.count)).toBe(found.headers['x-total-count']);
  });

  test('counts all matches and shows the first ones, also for an empty expression', async () => {
    for (const expression of [undefined, null, '', ' '])
      expect(await preview(rules, { expression, limit: 1 })).toEqual({
        count: 2,
        items: [{ id: first.id, url: first.url, values: {} }],
      });
  });

  test('cuts long values', async () => {
    const { id } = await make.vacancy({ description: `<p>${'x'.repeat(2_000)}</p>` });
    const expression = `vacancy.id == ${id} AND vacancy.description != NULL`;
    const { items } = await preview(TOPICS, { type: 'VACANCY_UPDATE', expression });
    expect(items[0]?.values['vacancy.description']).toBe(`${'x'.repeat(500)}…`);
  });

  test('shows URLs in the minor version of the request', async () => {
    const headers = { 'api-version': '1.3' };
    const { items } = await preview(rules, { expression: 'application.source == "fair"' }, { headers });
    expect(items[0]?.url).toMatch(new RegExp(`/api/v1/applications/${first.id}$`));
  });

  test('with a repeated Idempotency-Key replays the first answer until a person in it is anonymised', async () => {
    const candidate = await make.candidate({ firstname: 'Repeated' });
    await make.application({ user_id: candidate.id, opportunity_id: other.id });
    const options = { headers: { 'idempotency-key': 'object-preview' } };
    const body = { type: TYPE, expression: 'application.user.firstname == "Repeated"' };
    const shown = await preview(TOPICS, body, options);
    expect(shown.count).toBe(1);
    expect(await preview(TOPICS, body, options)).toEqual(shown);
    for (const { id } of (await api.get(`/applications?search=user.id=${candidate.id}`)).items)
      expectStatus(200, await api.put(`/applications/${id}/process_state`, { state: 'rejected' }));
    expectStatus(200, await api.post(`/candidates/${candidate.id}/anonymise`));
    expect(JSON.stringify((await api.post(TOPICS, body, options)).json)).not.toContain('Repeated":');
    expect((await preview(TOPICS, body)).count).toBe(0);
  });
});

describe('a request for a preview of objects', () => {
  const places = (): readonly [string, object][] => [
    [TOPICS, { type: TYPE }],
    [rules, {}],
    [conditions, {}],
  ];

  test.each([
    ['application.usr.id == 1', /^1:13: .*user.*\n {2}application\.usr\.id == 1\n {14}\^{3}$/],
    ['application.id ==', /^1:/],
    ['vacancy.id == 1', /^1:1: /],
    ['application.id == "x"', /^1:1: cannot compare/],
    ['CHANGED(application.rating)', /CHANGED/],
    ['application.source == "\\u0000"', /null characters/],
  ])('is refused with the position of the error in the expression: %s', async (expression, info) => {
    for (const [path, body] of places()) {
      const answer = await api.post(path, { ...body, expression });
      expect([answer.status, answer.violations]).toEqual([422, ['invalid /expression']]);
      expect(answer.problem.errors?.[0]?.info).toMatch(info);
    }
  });

  test('is refused when its datapaths follow more relations than those of `where` may', async () => {
    const expression = Array.from({ length: 40 }, () => 'application.opportunity.owner.lastname == "x"').join(' OR ');
    for (const [path, body] of places()) {
      const answer = await api.post(path, { ...body, expression });
      expect([answer.status, answer.violations]).toEqual([422, ['invalid /expression']]);
      expect(answer.problem.errors?.[0]?.info).toMatch(/relations in total/);
    }
  });

  test.each([
    [{ limit: 0 }, ['invalid /limit']],
    [{ limit: 101, expression: 1 }, ['invalid /expression', 'invalid /limit']],
    [{ limit: 1.5, expression: 'application.foo == 1' }, ['invalid /expression', 'invalid /limit']],
    [{ name: 'Topic' }, ['invalid /name']],
  ])('is refused with all violations at once (%#)', async (given, violations) => {
    for (const [path, body] of places()) {
      const answer = await api.post(path, { ...body, ...given });
      expect([answer.status, [...new Set(answer.violations)].sort()]).toEqual([422, violations]);
    }
  });

  test('is 404 for an opportunity or a form that does not exist', async () => {
    for (const path of ['/vacancies/999999/scoring_rules/preview', '/forms/999999/conditions/preview'])
      expect((await api.post(path, { expression: 'x' })).status).toBe(404);
    const { id } = await make.event();
    expect((await api.post(`/vacancies/${id}/scoring_rules/preview`, {})).status).toBe(404);
    expect((await api.post(`/events/${id}/scoring_rules/preview`, {})).status).toBe(200);
  });

  test('of a scoring rule cannot read scores', async () => {
    const answer = await api.post(rules, { expression: 'application.score > 1' });
    expect([answer.status, answer.violations]).toEqual([422, ['invalid /expression']]);
  });

  test('needs the read scopes of the objects and of all datapaths', async () => {
    const routes = ['notifications', 'vacancies', 'forms'].flatMap((name) => [`${name}:read`, `${name}:write`]);
    const send = async (scopes: readonly string[], expression: string): Promise<readonly number[]> => {
      const token = await make.token(...routes, ...scopes);
      const answers = places().map(([path, body]) => api.post(path, { ...body, expression }, { token }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const personal = 'application.user.language == "de"';
    expect(await send([], 'application.id > 0')).toEqual([403, 403, 403]);
    expect(await send([], '')).toEqual([403, 403, 403]);
    expect(await send(['applications:read'], 'application.id > 0')).toEqual([200, 200, 200]);
    expect(await send(['applications:read'], personal)).toEqual([403, 403, 403]);
    expect(await send(['applications:read', 'users:read'], personal)).toEqual([200, 200, 200]);
  });

  test('of deliveries needs all read scopes, because deliveries tell what their topics match', async () => {
    const body = { type: 'DELIVERY_EXHAUSTED', expression: 'notification_delivery.id > 0' };
    const token = await make.token('notifications:read', 'notifications:write', 'applications:read');
    const refused = await api.post(TOPICS, body, { token });
    expect([refused.status, refused.problem.message]).toEqual([403, expect.stringContaining('*:read')]);
    expect((await preview(TOPICS, body)).count).toBe(0);
  });
});
