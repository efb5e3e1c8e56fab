import { beforeAll, describe, expect, test } from '@jest/globals';
import { identityOf, type Answer, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
/** Token of a credential that acts as another recruiter, with every scope. */
let other: { readonly token: string };
let otherRecruiter: Item;
const people = new Map<string, Item>();

beforeAll(async () => {
  otherRecruiter = await make.recruiter();
  other = { token: (await make.credential({ scopes: ['*:read', '*:write'], recruiter_id: otherRecruiter.id })).token };
  const named: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    anna: { firstname: 'Anna', lastname: 'Johnson', tags: ['java'], current_employer: 'Acme' },
    bela: { firstname: 'Bela', lastname: 'Johnson', tags: ['go'], current_employer: 'Acme' },
    carl: { firstname: 'Carl', lastname: 'Smith', tags: ['java'], current_employer: 'Globex' },
    dora: { firstname: 'Dora', lastname: 'Smith' },
  };
  for (const [name, properties] of Object.entries(named)) people.set(name, await make.candidate(properties));
});

const KINDS = [
  ['/saved_searches', 'saved_search', (properties: object) => make.savedSearch({ ...properties })],
  ['/config_searches', 'config_search', (properties: object) => make.configSearch({ ...properties })],
] as const;

const NAMED = { name: 'Search', resource: 'candidates' };

/** The names of the candidates in an answer, or its violations. */
function named(answer: Answer): string {
  if (answer.status !== 200)
    return `${answer.status} ${(answer.problem.errors ?? []).map(({ parameter, info }) => `${parameter ?? ''}: ${info ?? ''}`).join(' | ')}`;
  expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
  return answer.items.map(({ firstname }) => String(firstname).toLowerCase()).join(' ');
}

const find = async (query: string, options?: { readonly token: string }): Promise<string> =>
  named(await api.get(`/candidates?${query}`, options));

describe.each(KINDS)('%s', (path, _, makeOne) => {
  const owned = path === '/saved_searches';

  test('reads as it was written', async () => {
    const body = {
      ...NAMED,
      search: ['/lastname=Johnson', 'candidate.tags={a\\,b,c}'],
      filter: 'Ä%_\\',
      sort: ['lastname!desc', 'id!asc'],
      ...(owned && { is_shared: true }),
    };
    const { item, headers } = expectStatus(201, await api.post(path, body));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1${path}/${item.id}`),
      ...body,
      ...(owned && { owner: expect.objectContaining({ url: expect.stringMatching(/\/recruiters\/\d+$/) }) }),
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`${path}/${item.id}`)).item).toEqual(item);
    expect((await api.get(`${path}?search=/id=${item.id}`)).items).toEqual([item]);
  });

  test('has empty defaults on create and on replace', async () => {
    const empty = { search: [], filter: null, sort: [], ...(owned && { is_shared: false }) };
    const { item } = expectStatus(
      201,
      await api.post(path, { ...NAMED, search: null, filter: null, sort: null, ...(owned && { is_shared: null }) }),
    );
    expect(item).toMatchObject(empty);
    const full = await makeOne({ search: ['id>1'], filter: 'x', sort: ['id!asc'] });
    const replaced = expectStatus(
      200,
      await api.put(`${path}/${full.id}`, { name: 'New', resource: 'vacancies', search: ['/title=~x'] }),
    );
    expect(replaced.item).toMatchObject({ ...empty, name: 'New', resource: 'vacancies', search: ['/title=~x'] });
  });

  test('is found by search and filter on its own values', async () => {
    const { id } = await makeOne({ name: 'Quux hunt', search: ['/lastname=Quuxbar'], sort: ['lastname!asc'] });
    for (const query of [
      'search=/search/*=~QUUX',
      'search=/search=/lastname%3DQuuxbar',
      'filter=quux hunt',
      'search=name=Quux hunt&search=/sort/*=lastname!asc',
    ]) {
      expect([query, (await api.get(`${path}?${query}`)).items.map((item) => item.id)]).toEqual([query, [id]]);
    }
  });

  test('can be deleted', async () => {
    const { id } = await makeOne({});
    expectStatus(204, await api.delete(`${path}/${id}`));
    expectStatus(404, await api.get(`${path}/${id}`));
    expectStatus(404, await api.delete(`${path}/${id}`));
  });

  test.each([
    [{}, ['missing /name', 'missing /resource']],
    [{ name: ' ', resource: '' }, ['invalid /name', 'invalid /resource']],
    [{ name: 'x'.repeat(256), resource: 'people' }, ['invalid /name', 'invalid /resource']],
    [{ ...NAMED, resource: 'vacancy_applications' }, ['invalid /resource']],
    [{ ...NAMED, resource: 'notification_subscriptions' }, ['invalid /resource']],
    [{ ...NAMED, resource: '__proto__' }, ['invalid /resource']],
    [
      { ...NAMED, search: '/id=1', filter: ['x'], sort: { 0: 'id!asc' } },
      ['invalid /filter', 'invalid /search', 'invalid /sort'],
    ],
    [
      { ...NAMED, search: [1, null, ['x'], {}], sort: [true] },
      ['invalid /search/0', 'invalid /search/2', 'invalid /search/3', 'invalid /sort/0', 'missing /search/1'],
    ],
    [
      { ...NAMED, search: ['nope=1', 'id=1', 'id>x', '', '='], filter: '', sort: ['id', 'tags!asc', 'id!asc'] },
      [
        'invalid /filter',
        'invalid /search/0',
        'invalid /search/2',
        'invalid /search/3',
        'invalid /search/4',
        'invalid /sort/0',
        'invalid /sort/1',
      ],
    ],
    [{ ...NAMED, search: ['type=candidate'] }, ['invalid /search/0']],
    [
      { ...NAMED, resource: 'vacancies', search: ['/lastname=x'], sort: ['lastname!asc'] },
      ['invalid /search/0', 'invalid /sort/0'],
    ],
    [
      { ...NAMED, search: ['firstname=a\0', 'firstname=\ud800'], filter: 'a\0', sort: ['\0!asc'] },
      ['invalid /filter', 'invalid /search/0', 'invalid /search/1', 'invalid /sort/0'],
    ],
    [
      { ...NAMED, filter: 'x'.repeat(201), search: [`firstname=${'x'.repeat(4097)}`, 'x'.repeat(32_769)] },
      ['invalid /filter', 'invalid /search/0', 'invalid /search/1'],
    ],
    [
      { ...NAMED, search: Array.from({ length: 21 }, () => 'id=1'), sort: Array.from({ length: 9 }, () => 'id!asc') },
      ['invalid /search', 'invalid /sort'],
    ],
    [
      { ...NAMED, owner_id: 1, owner: {}, member_count: 1 },
      ['invalid /member_count', 'invalid /owner', 'invalid /owner_id'],
    ],
  ])('rejects %#', async (body, violations) => {
    const { id } = await makeOne({});
    for (const answer of [await api.post(path, body), await api.put(`${path}/${id}`, body)]) {
      expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
    }
  });

  test('accepts values at the limits', async () => {
    const search = Array.from({ length: 20 }, (_, index) => `firstname=${'x'.repeat(4_000 + index)}`);
    expectStatus(
      201,
      await api.post(path, {
        ...NAMED,
        name: 'x'.repeat(255),
        search,
        filter: 'x'.repeat(200),
        sort: Array.from({ length: 8 }, () => 'id!asc'),
      }),
    );
  });

  test('reports the position of an error and a suggestion', async () => {
    const { problem } = await api.post(path, { ...NAMED, search: ['id=1', 'lastnme=x'], sort: ['lastname!down'] });
    expect(problem.errors).toEqual([
      expect.objectContaining({
        path: '/search/1',
        info: 'candidate has no attribute or relation "lastnme" (at 1 of "lastnme=x"); did you mean "lastname"?',
      }),
      expect.objectContaining({ path: '/sort/0', info: expect.stringContaining('expected !asc or !desc') }),
    ]);
  });

  test('lists the valid collections for an unknown one', async () => {
    const { problem } = await api.post(path, { ...NAMED, resource: 'people' });
    expect(problem.errors?.[0]?.info).toMatch(/^expected one of applications, candidates, (\w+, )*config_searches, /);
  });

  test('needs the read scopes of all its datapaths', async () => {
    const token = await make.token('searches:write', 'searches:read', 'applications:read');
    const body = {
      name: 'Search',
      resource: 'applications',
      search: ['/user/lastname=x'],
      sort: ['opportunity.title!asc'],
    };
    const { id } = expectStatus(
      201,
      await api.post(path, body, { token: path === '/saved_searches' ? api.adminToken : token }),
    ).item;
    for (const further of [{ search: ['application.user.language=de'] }, { sort: ['user.language!asc'] }]) {
      for (const answer of [
        await api.post(path, { ...body, ...further }, { token }),
        await api.put(`${path}/${id}`, { ...body, ...further }, { token }),
      ]) {
        expect([answer.status, answer.problem.message]).toEqual([
          403,
          'The credential lacks the scope users:read, which application.user.language needs',
        ]);
      }
    }
    expectStatus(403, await api.post(path, { ...NAMED, filter: 'x' }, { token }));
  });
});

describe('a saved search', () => {
  test('belongs to the recruiter of the credential', async () => {
    const mine = await make.savedSearch();
    const { item } = expectStatus(201, await api.post('/saved_searches', NAMED, other));
    expect(item['owner']).toEqual({ id: otherRecruiter.id, url: otherRecruiter.url });
    expect(mine['owner']).not.toEqual(item['owner']);
    // All credentials of the same recruiter see it.
    const { token } = await make.credential({ recruiter_id: otherRecruiter.id });
    expectStatus(200, await api.get(`/saved_searches/${item.id}`, { token }));
  });

  test('is visible to its owner only, or to all when shared', async () => {
    const own = await make.savedSearch({ name: 'private' });
    const shared = await make.savedSearch({ name: 'shared', is_shared: true });
    const listed = async (query: string): Promise<readonly number[]> =>
      (await api.get(`/saved_searches?${query}`, other)).items.map(({ id }) => id);
    expect(await listed('per_page=1000')).toContain(shared.id);
    expect(await listed('per_page=1000')).not.toContain(own.id);
    expect(await listed(`search=/id={${own.id},${shared.id}}`)).toEqual([shared.id]);
    expect((await api.get(`/saved_searches?search=/id=${own.id}`, other)).headers['x-total-count']).toBe('0');
    expect((await api.get(`/saved_searches?search=/id=${own.id}`)).headers['x-total-count']).toBe('1');
    expectStatus(200, await api.get(`/saved_searches/${shared.id}`, other));
    for (const answer of [
      await api.get(`/saved_searches/${own.id}`, other),
      await api.put(`/saved_searches/${own.id}`, NAMED, other),
      await api.put(`/saved_searches/${own.id}`, { bogus: 1 }, other),
      await api.delete(`/saved_searches/${own.id}`, other),
      await api.delete(`/saved_searches/${own.id}`, { ...other, headers: { 'if-match': '*' } }),
    ]) {
      expect([answer.status, answer.problem.message]).toEqual([404, `saved_search ${own.id} was not found`]);
    }
  });

  test('can be changed by its owner only; others get a 403 before any other check', async () => {
    const shared = await make.savedSearch({ is_shared: true });
    const path = `/saved_searches/${shared.id}`;
    const before = (await api.get(path)).text;
    for (const answer of [
      await api.put(path, NAMED, other),
      await api.put(path, { bogus: 1 }, other),
      await api.put(path, { ...NAMED, search: ['nope=1'] }, other),
      await api.put(path, NAMED, { ...other, headers: { 'if-match': '"stale"' } }),
      await api.delete(path, other),
      await api.delete(path, { ...other, headers: { 'if-match': '"stale"' } }),
    ]) {
      expect([answer.status, answer.problem.message]).toEqual([403, 'Only the owner of a saved search can change it']);
    }
    expect((await api.get(path)).text).toBe(before);
    expectStatus(200, await api.put(path, { ...NAMED, is_shared: false }));
    expectStatus(404, await api.get(path, other));
    expectStatus(204, await api.delete(path));
  });
});

describe.each(KINDS)('a collection narrowed by one of %s', (path, parameter, makeOne) => {
  test('combines the conditions of the search and of the request', async () => {
    const { id } = await makeOne({ search: ['/lastname=Johnson', '/tags=java'] });
    const { id: filtering } = await makeOne({ filter: 'ACME' });
    expect(await find(`${parameter}=${id}`)).toBe('anna');
    expect(await find(`${parameter}=${filtering}`)).toBe('anna bela');
    expect(await find(`${parameter}=${filtering}&search=/tags=go`)).toBe('bela');
    expect(await find(`${parameter}=${filtering}&filter=smith`)).toBe('');
    expect(await find(`${parameter}=${filtering}&filter=anna`)).toBe('anna');
  });

  test('uses the order of the request, or of the search when the request has none', async () => {
    const { id } = await makeOne({ sort: ['firstname!desc'] });
    expect(await find(`${parameter}=${id}`)).toBe('dora carl bela anna');
    expect(await find(`${parameter}=${id}&sort=lastname!desc`)).toBe('carl dora anna bela');
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

  test('keeps its cursor when conditions of the search change, and starts over when its order changes', async () => {
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

  test('applies under every path of its collection and under no other', async () => {
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
    [`${parameter}=1&${parameter}=1`, `${parameter}: expected once, found 2 times: "1", "1"`],
  ])('is rejected for %s', async (query, violation) => {
    expect(await find(query)).toBe(`400 ${violation}`);
  });

  test('is rejected when the stored search has become invalid', async () => {
    const { id } = await makeOne({ search: ['id>1'], filter: 'x', sort: ['id!asc'] });
    await api.database.query(
      `UPDATE ${path.slice(1)} SET search = '{id>1,nickname=x}', filter = '', sort = '{nickname!asc}' WHERE id = $1`,
      [id],
    );
    const { status, problem } = await api.get(`/candidates?${parameter}=${id}`);
    expect([status, problem.errors]).toEqual([
      400,
      ['/search/1', '/filter', '/sort/0'].map((pointer) => ({
        resource: 'candidates',
        path: '',
        parameter,
        code: 'invalid',
        info: expect.stringContaining(`the ${name} ${id} is no longer valid at ${pointer}: `),
      })),
    ]);
    // The search itself can still be read and corrected.
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

  test('needs the same scopes as if its conditions were in the request', async () => {
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
    // A stored order that the request overrides is not checked.
    expect(await ask(`${parameter}=${sorting}&sort=id!asc`, 'applications:read')).toBe('200');
  });
});

describe('several filters at once', () => {
  test('combine with AND, in the order of the saved search', async () => {
    const saved = await make.savedSearch({ search: ['/lastname=Johnson'], sort: ['firstname!desc'] });
    const configured = await make.configSearch({ search: ['/current_employer=Acme'], sort: ['firstname!asc'] });
    const selection = await make.selection({ members: [...people.values()] });
    expect(await find(`config_search=${configured.id}`)).toBe('anna bela');
    expect(await find(`saved_search=${saved.id}&config_search=${configured.id}&selection=${selection.id}`)).toBe(
      'bela anna',
    );
    expect(await find(`saved_search=${saved.id}&config_search=${configured.id}&search=/tags=java`)).toBe('anna');
    const unordered = await make.savedSearch({ search: ['/lastname=Johnson'] });
    const reversed = await make.configSearch({ sort: ['firstname!desc'] });
    expect(await find(`saved_search=${unordered.id}&config_search=${reversed.id}`)).toBe('bela anna');
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

  test('accept a search of another recruiter only when it is shared, and do not reveal that it exists', async () => {
    const own = await make.savedSearch({ search: ['/firstname=Anna'] });
    const shared = await make.savedSearch({ search: ['/firstname=Anna'], is_shared: true });
    expect(await find(`saved_search=${shared.id}`, other)).toBe('anna');
    expect(await find(`saved_search=${own.id}`)).toBe('anna');
    expect(await find(`saved_search=${own.id}`, other)).toBe(
      `400 saved_search: there is no saved search ${own.id} that you can use`,
    );
    const elsewhere = await make.savedSearch({ resource: 'vacancies' });
    expect(await find(`saved_search=${elsewhere.id}`, other)).toBe(
      `400 saved_search: there is no saved search ${elsewhere.id} that you can use`,
    );
  });

  test.each(['saved_search=1', 'config_search=1', 'selection=1'])('is not for items: %s', async (query) => {
    expectStatus(400, await api.get(`/candidates/${people.get('anna')?.id ?? 0}?${query}`));
  });
});

describe('anonymising', () => {
  test('removes the personal values from stored searches', async () => {
    const { id } = await make.candidate({ firstname: 'Quillonia', lastname: 'Smith', email: 'quillonia@example.com' });
    const saved = await make.savedSearch({
      search: ['/email={quillonia@example.com,other@example.com}', '/lastname=Smith'],
    });
    const configured = await make.configSearch({ resource: 'applications', filter: 'quillonia' });
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    const after = await api.get(`/saved_searches/${saved.id}`);
    expect(after.item['search']).toEqual(['/email={anonymised,other@example.com}', '/lastname=Smith']);
    expect(after.item['updated_dt']).not.toBe(saved['updated_dt']);
    expect((await api.get(`/config_searches/${configured.id}`)).item['filter']).toBe('anonymised');
  });
});
