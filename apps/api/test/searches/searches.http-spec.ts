// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { makePeople, NAMED } from './found-candidates.js';

const { api, make } = useApi();
/** A credential with all scopes that acts as another recruiter. */
let other: { readonly token: string };
let otherRecruiter: Item;

beforeAll(async () => {
  otherRecruiter = await make.recruiter();
  other = { token: (await make.credential({ scopes: ['*:read', '*:write'], recruiter_id: otherRecruiter.id })).token };
  await makePeople(make);
  await makePeople(make);
});

const KINDS = [
  ['/saved_searches', 'saved_search', (properties: object) => make.savedSearch({ ...properties })],
  ['/config_searches', 'config_search', (properties: object) => make.configSearch({ ...properties })],
] as const;

describe.each(KINDS)('%s', (path, _, makeOne) => {
  const owned = path === '/saved_searches';

  test('is returned as it was written', async () => {
    const body = {
      ...NAMED,
      search: ['/lastname=Johnson', 'candidate.tags={a\\,b,c}'],
      filter: 'Ä%_\\',
      where: 'candidate.tags == "java" OR NOT (candidate.lastname =~ "Ä")',
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

  test('is empty by default when it is created and when it is replaced', async () => {
    const empty = { search: [], filter: null, where: null, sort: [], ...(owned && { is_shared: false }) };
    const { item } = expectStatus(
      201,
      await api.post(path, {
        ...NAMED,
        search: null,
        filter: null,
        where: null,
        sort: null,
        ...(owned && { is_shared: null }),
      }),
    );
    expect(item).toMatchObject(empty);
    const full = await makeOne({ search: ['id>1'], filter: 'x', where: 'candidate.id > 1', sort: ['id!asc'] });
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
    [{ ...NAMED, where: '' }, ['invalid /where']],
    [{ ...NAMED, where: ['candidate.id > 1'] }, ['invalid /where']],
    [{ ...NAMED, where: 'candidate.nope > 1', search: ['nope=1'] }, ['invalid /search/0', 'invalid /where']],
    [{ ...NAMED, where: 'vacancy.title == "x"' }, ['invalid /where']],
    [{ ...NAMED, where: 'candidate.status == "nope"' }, ['invalid /where']],
    [{ ...NAMED, where: 'CHANGED(candidate.status)' }, ['invalid /where']],
    [{ ...NAMED, where: `candidate.id > ${'1'.repeat(9_000)}` }, ['invalid /where']],
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
      { ...NAMED, owner_id: 1, owner: 1, member_count: 1 },
      ['invalid /member_count', 'invalid /owner', 'invalid /owner_id'],
    ],
  ])('rejects an invalid body (case %#)', async (body, violations) => {
    const { id } = await makeOne({});
    for (const answer of [await api.post(path, body), await api.put(`${path}/${id}`, body)]) {
      // Only the PUT of a saved search accepts its owner, which is read-only. To every other request the property is
      // unknown.
      const found = answer.violations.map((violation) => violation.replace('read_only', 'invalid'));
      expect([answer.status, found.sort()]).toEqual([422, violations]);
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

  test('reports the line and the column of an error in the expression', async () => {
    const where = 'candidate.id > 1 AND\n  candidate.lastnme == "x"';
    const { problem } = await api.post(path, { ...NAMED, where });
    expect(problem.errors).toEqual([
      expect.objectContaining({ path: '/where', info: expect.stringContaining('2:13: candidate has no') }),
    ]);
  });

  test('lists the valid collections when the collection is unknown', async () => {
    const { problem } = await api.post(path, { ...NAMED, resource: 'people' });
    expect(problem.errors?.[0]?.info).toMatch(
      /^expected one of applications, (\w+, )*candidates, (\w+, )*config_searches, /,
    );
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
    for (const further of [
      { search: ['application.user.language=de'] },
      { where: 'application.user.language == "de"' },
      { sort: ['user.language!asc'] },
    ]) {
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
    // All credentials of the same recruiter see the search.
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

  test('can be changed by its owner only; other recruiters get 403 before any other check', async () => {
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

describe('anonymising a candidate', () => {
  test('removes from stored searches all values that only this candidate has', async () => {
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
