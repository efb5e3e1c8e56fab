// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { makePeople, NAMED, find } from './found-candidates.js';

const { api, make } = useApi();
/** A credential with all scopes that acts as another recruiter. */
let other: { readonly token: string };
let otherRecruiter: Item;
let people: ReadonlyMap<string, Item>;

beforeAll(async () => {
  otherRecruiter = await make.recruiter();
  other = { token: (await make.credential({ scopes: ['*:read', '*:write'], recruiter_id: otherRecruiter.id })).token };
  people = await makePeople(make);
});

const KINDS = [
  ['/saved_searches', 'saved_search', (properties: object) => make.savedSearch({ ...properties })],
  ['/config_searches', 'config_search', (properties: object) => make.configSearch({ ...properties })],
] as const;

describe.each(KINDS)('a collection limited by an item of %s', (path, parameter, makeOne) => {
  test('combines the conditions of the search and of the request', async () => {
    const { id } = await makeOne({ search: ['/lastname=Johnson', '/tags=java'] });
    const { id: filtering } = await makeOne({ filter: 'ACME' });
    expect(await find(api, `${parameter}=${id}`)).toBe('anna');
    expect(await find(api, `${parameter}=${filtering}`)).toBe('anna bela');
    expect(await find(api, `${parameter}=${filtering}&search=/tags=go`)).toBe('bela');
    expect(await find(api, `${parameter}=${filtering}&filter=smith`)).toBe('');
    expect(await find(api, `${parameter}=${filtering}&filter=anna`)).toBe('anna');
  });

  test('combines the expression of the search with all other conditions', async () => {
    const { id } = await makeOne({ where: 'candidate.lastname == "Smith" OR candidate.firstname == "Anna"' });
    expect(await find(api, `${parameter}=${id}`)).toBe('anna carl dora');
    expect(await find(api, `${parameter}=${id}&where=candidate.firstname != "Dora"`)).toBe('anna carl');
    expect(await find(api, `${parameter}=${id}&search=/lastname=Johnson`)).toBe('anna');
    const { id: both } = await makeOne({ search: ['/tags=java'], where: 'candidate.lastname == "Smith"' });
    expect(await find(api, `${parameter}=${both}`)).toBe('carl');
    const counts = await api.get(`/candidates/counts?${parameter}=${id}&by=lastname`);
    expect(counts.json).toEqual([
      { values: { lastname: 'Smith' }, count: 2 },
      { values: { lastname: 'Johnson' }, count: 1 },
    ]);
  });

  test('uses the order of the request, or of the search when the request has none', async () => {
    const { id } = await makeOne({ sort: ['firstname!desc'] });
    expect(await find(api, `${parameter}=${id}`)).toBe('dora carl bela anna');
    expect(await find(api, `${parameter}=${id}&sort=lastname!desc`)).toBe('carl dora anna bela');
  });

  test('is paged, and every link keeps the parameter', async () => {
    const { id } = await makeOne({ search: ['/firstname!=Anna'], sort: ['firstname!desc'] });
    const first = await api.get(`/candidates?${parameter}=${id}&per_page=2`);
    expect([first.headers['x-total-count'], first.items.map(({ firstname }) => firstname)]).toEqual([
      '3',
      ['Dora', 'Carl'],
    ]);
    const next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    expect(next).toContain(`${parameter}=${id}`);
    expect((await api.get(next)).items.map(({ firstname }) => firstname)).toEqual(['Bela']);
  });

  test('accepts a cursor when conditions of the search change, and rejects it when the order changes', async () => {
    const { id } = await makeOne({ sort: ['firstname!desc'] });
    const { headers } = await api.get(`/candidates?${parameter}=${id}&per_page=1`);
    const next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    expect(next).toContain('after=');
    expectStatus(
      200,
      await api.put(`${path}/${id}`, { ...NAMED, search: ['/firstname!=Carl'], sort: ['firstname!desc'] }),
    );
    expect((await api.get(next)).items.map(({ firstname }) => firstname)).toEqual(['Bela']);
    for (const sort of [['firstname!asc'], ['created_dt!desc'], ['firstname!desc', 'lastname!asc'], []]) {
      expectStatus(200, await api.put(`${path}/${id}`, { ...NAMED, sort }));
      const answer = await api.get(next);
      expect([sort, answer.status, answer.violations]).toEqual([sort, 400, ['invalid ?after']]);
      expectStatus(200, await api.get(next.replace(/&after=[^&]*/, '')));
    }
  });

  test('is possible under every path of the collection and under no other', async () => {
    const { id } = await makeOne({ resource: 'applications' });
    for (const name of ['applications', 'vacancy_applications'])
      expectStatus(200, await api.get(`/${name}?${parameter}=${id}`));
    for (const name of ['event_applications', 'event_registrations', 'candidates', 'saved_searches']) {
      const { status, problem } = await api.get(`/${name}?${parameter}=${id}`);
      expect([name, status, problem.errors?.[0]?.info]).toEqual([
        name,
        400,
        expect.stringContaining(' is for applications, not for '),
      ]);
    }
    const { topic } = await make.subscription();
    expectStatus(400, await api.get(`/notification_topics/${(topic as Item).id}/subscriptions?${parameter}=${id}`));
  });

  const name = parameter === 'saved_search' ? 'saved search' : 'configured search';
  test.each([
    [`${parameter}=`, `${parameter}: expected an id, found ""`],
    [`${parameter}=abc`, `${parameter}: expected an id, found "abc"`],
    [`${parameter}=0`, `${parameter}: expected an id, found "0"`],
    [`${parameter}=1.0`, `${parameter}: expected an id, found "1.0"`],
    [`${parameter}=%00`, `${parameter}: expected an id, found "\\u0000"`],
    [`${parameter}=9007199254740993`, `${parameter}: expected an id, found "9007199254740993"`],
    [`${parameter}=${'9'.repeat(400)}`, `${parameter}: expected an id, found "${'9'.repeat(40)}…"`],
    [`${parameter}=999999999`, `${parameter}: there is no ${name} 999999999 that you can use`],
    [`${parameter}=1&${parameter}=1`, `${parameter}: expected the parameter once, found 2 times: "1", "1"`],
  ])('is rejected for %s', async (query, violation) => {
    expect(await find(api, query)).toBe(`400 ${violation}`);
  });

  test('is rejected when the stored search has become invalid', async () => {
    const { id } = await makeOne({ search: ['id>1'], filter: 'x', where: 'candidate.id > 1', sort: ['id!asc'] });
    await api.database.query(
      `UPDATE ${path.slice(1)} SET search = '{id>1,nickname=x}', filter = '', where_expression = 'nickname == 1', sort = '{nickname!asc}' WHERE id = $1`,
      [id],
    );
    const { status, problem } = await api.get(`/candidates?${parameter}=${id}`);
    expect([status, problem.errors]).toEqual([
      400,
      ['/search/1', '/filter', '/where', '/sort/0'].map((pointer) => ({
        resource: 'candidates',
        path: '',
        parameter,
        code: 'invalid',
        info: expect.stringContaining(`the ${name} ${id} is no longer valid at ${pointer}: `),
      })),
    ]);
    // The invalid search can still be read and corrected.
    expectStatus(200, await api.get(`${path}/${id}`));
    expectStatus(200, await api.put(`${path}/${id}`, NAMED));
  });

  test('may use form values as long as their form exists', async () => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const item = section?.items[0]?.id ?? 0;
    const [first, second] = [
      await make.application({ user_id: people.get('anna')?.id }),
      await make.application({ user_id: people.get('bela')?.id }),
    ];
    for (const [application, value] of [
      [first, 'early'],
      [second, 'late'],
    ] as const) {
      expectStatus(
        200,
        await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: item, value }] }),
      );
    }
    const texts = { search: [`application.formdata.${item}!=`], sort: [`formdata.${item}!desc`] };
    const { id } = await makeOne({ resource: 'applications', ...texts });
    const ask = (): Promise<Answer> => api.get(`/applications?${parameter}=${id}`);
    expect((await ask()).items.map((application) => application.id)).toEqual([second.id, first.id]);
    expect(
      (await api.post(path, { name: 'Search', resource: 'applications', search: ['formdata.999999999=x'] })).violations,
    ).toEqual(['invalid /search/0']);
    expect((await api.post(path, { name: 'Search', resource: 'candidates', ...texts })).violations).toEqual([
      'invalid /search/0',
      'invalid /sort/0',
    ]);
    for (const application of [first, second]) {
      expectStatus(
        200,
        await api.post(`/applications/${application.id}/form_values`, {
          form_values: [{ item_id: item, value: null }],
        }),
      );
    }
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    const { status, problem } = await ask();
    expect([status, problem.errors?.map(({ info }) => info)]).toEqual([
      400,
      [expect.stringContaining('/search/0: '), expect.stringContaining('/sort/0: ')],
    ]);
  });

  test('needs the same scopes as a request with the same conditions', async () => {
    const { id } = await makeOne({ resource: 'applications', search: ['user.language=de'] });
    const ask = async (query: string, ...scopes: readonly string[]): Promise<string> => {
      const answer = await api.get(`/applications?${query}`, { token: await make.token(...scopes) });
      return answer.status === 200 ? '200' : `${answer.status} ${answer.problem.message}`;
    };
    const lacking = '403 The credential lacks the scope users:read, which application.user.language needs';
    expect(await ask(`${parameter}=${id}`, 'applications:read', 'searches:read')).toBe(lacking);
    expect(await ask(`${parameter}=${id}`, 'applications:read', 'users:read')).toBe('200');
    const { id: sorting } = await makeOne({ resource: 'applications', sort: ['user.language!asc'] });
    expect(await ask(`${parameter}=${sorting}`, 'applications:read')).toBe(lacking);
    // The order of the search is not checked, because the request has an order of its own.
    expect(await ask(`${parameter}=${sorting}&sort=id!asc`, 'applications:read')).toBe('200');
  });
});

describe('several filters at once', () => {
  test('combine with AND, and the saved search decides the order', async () => {
    const saved = await make.savedSearch({ search: ['/lastname=Johnson'], sort: ['firstname!desc'] });
    const configured = await make.configSearch({ search: ['/current_employer=Acme'], sort: ['firstname!asc'] });
    const selection = await make.selection({ members: [...people.values()] });
    expect(await find(api, `config_search=${configured.id}`)).toBe('anna bela');
    expect(await find(api, `saved_search=${saved.id}&config_search=${configured.id}&selection=${selection.id}`)).toBe(
      'bela anna',
    );
    expect(await find(api, `saved_search=${saved.id}&config_search=${configured.id}&search=/tags=java`)).toBe('anna');
    const unordered = await make.savedSearch({ search: ['/lastname=Johnson'] });
    const reversed = await make.configSearch({ sort: ['firstname!desc'] });
    expect(await find(api, `saved_search=${unordered.id}&config_search=${reversed.id}`)).toBe('bela anna');
  });

  test('report the violations of all parameters together', async () => {
    const foreign = await make.savedSearch({ resource: 'vacancies' });
    const answer = await api.get(
      `/candidates?saved_search=${foreign.id}&config_search=x&selection=999999999&page=0&search=nope=1&serach=x`,
    );
    expect([answer.status, [...answer.violations].sort()]).toEqual([
      400,
      [
        'invalid ?config_search',
        'invalid ?page',
        'invalid ?saved_search',
        'invalid ?search',
        'invalid ?selection',
        'invalid ?serach',
      ],
    ]);
  });

  test('accept a search of another recruiter only when it is shared, and otherwise hide that it exists', async () => {
    const own = await make.savedSearch({ search: ['/firstname=Anna'] });
    const shared = await make.savedSearch({ search: ['/firstname=Anna'], is_shared: true });
    expect(await find(api, `saved_search=${shared.id}`, other)).toBe('anna');
    expect(await find(api, `saved_search=${own.id}`)).toBe('anna');
    expect(await find(api, `saved_search=${own.id}`, other)).toBe(
      `400 saved_search: there is no saved search ${own.id} that you can use`,
    );
    const elsewhere = await make.savedSearch({ resource: 'vacancies' });
    expect(await find(api, `saved_search=${elsewhere.id}`, other)).toBe(
      `400 saved_search: there is no saved search ${elsewhere.id} that you can use`,
    );
  });

  test.each(['saved_search=1', 'config_search=1', 'selection=1'])('are rejected on single items: %s', async (query) => {
    expectStatus(400, await api.get(`/candidates/${people.get('anna')?.id ?? 0}?${query}`));
  });
});

describe('a collection limited by stored searches', () => {
  const conditions = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `id>${index}`);
  const values = (count: number): string => `lastname!={${Array.from({ length: count }, (_, n) => `n${n}`).join(',')}}`;

  test('counts the conditions of both searches and of the request together', async () => {
    const saved = await make.savedSearch({ search: conditions(8) });
    const configured = await make.configSearch({ search: conditions(8) });
    const query = (own: number): string =>
      [
        `saved_search=${saved.id}`,
        `config_search=${configured.id}`,
        ...conditions(own).map((one) => `search=${one}`),
      ].join('&');
    expectStatus(200, await api.get(`/candidates?${query(4)}`));
    expect(await find(api, query(5))).toBe('400 saved_search: expected at most 20 conditions in total, found 21');
  });

  test('counts the values of all lists together', async () => {
    const { id } = await make.savedSearch({ search: Array.from({ length: 4 }, () => values(1_000)) });
    expectStatus(200, await api.get(`/candidates?saved_search=${id}`));
    const { status, problem } = await api.get(`/candidates?saved_search=${id}&search=id>1`);
    expect([status, problem.errors]).toEqual([
      400,
      [
        {
          resource: 'candidates',
          path: '',
          parameter: 'saved_search',
          code: 'too_complex',
          info: 'expected at most 4000 values in all conditions together, found 4001',
        },
      ],
    ]);
  });

  test('cannot be stored with more values than a request may have', async () => {
    const search = Array.from({ length: 5 }, () => values(1_000));
    for (const path of ['/saved_searches', '/config_searches']) {
      const { status, violations } = await api.post(path, { ...NAMED, search });
      expect([path, status, violations]).toEqual([path, 422, ['invalid /search']]);
    }
  });
});
