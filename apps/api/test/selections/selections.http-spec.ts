// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { UNKNOWN, idsOf, memberIds, selection, candidates } from './members.js';

const { api, make } = useApi();

describe('a selection', () => {
  test('is returned as it was written and starts empty', async () => {
    const body = { name: 'Shortlist', resource: 'candidates' };
    const { item, headers } = expectStatus(201, await api.post('/selections', body));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/selections/${item.id}`),
      ...body,
      member_count: 0,
    });
    expect(headers['location']).toBe(item.url);
    expect(await memberIds(api, item)).toEqual([]);
  });

  test.each([
    [{}, ['missing /name', 'missing /resource']],
    [
      { name: '', resource: 'vacancy_applications', members: 3 },
      ['invalid /members', 'invalid /name', 'invalid /resource'],
    ],
    [{ name: 'x'.repeat(256), resource: ['candidates'] }, ['invalid /name', 'invalid /resource']],
  ])('rejects an invalid body (%#)', async (body, violations) => {
    const { id } = await make.selection();
    for (const answer of [await api.post('/selections', body), await api.put(`/selections/${id}`, body)]) {
      expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
    }
  });

  test('cannot change its collection while it has members', async () => {
    const members = await candidates(make, 2);
    const { id } = await make.selection({ members });
    const renamed = expectStatus(200, await api.put(`/selections/${id}`, { name: 'New', resource: 'candidates' }));
    expect(renamed.item).toMatchObject({ name: 'New', member_count: 2 });
    expect((await api.put(`/selections/${id}`, { name: '', resource: 'vacancies' })).violations).toEqual([
      'invalid /name',
      'invalid /resource',
    ]);
    expect((await api.put(`/selections/${id}`, { name: '', resource: 'people\0' })).violations).toEqual([
      'invalid /name',
      'invalid /resource',
    ]);
    const refused = await api.put(`/selections/${id}`, { name: 'New', resource: 'vacancies' });
    expect([refused.status, refused.problem.errors]).toEqual([
      422,
      [
        {
          resource: 'selections',
          path: '/resource',
          code: 'invalid',
          info: 'the selection has 2 members, all of them candidates: remove them first',
        },
      ],
    ]);
    expectStatus(200, await api.put(`/selections/${id}/members`, { ids: [] }));
    expect(
      expectStatus(200, await api.put(`/selections/${id}`, { name: 'New', resource: 'vacancies' })).item,
    ).toMatchObject({ resource: 'vacancies', member_count: 0 });
  });

  test('is deleted with its memberships, and the items stay', async () => {
    const [member] = await candidates(make, 1);
    const { id } = await make.selection({ members: member ? [member] : [] });
    expectStatus(204, await api.delete(`/selections/${id}`));
    for (const path of [`/selections/${id}`, `/selections/${id}/members`]) expectStatus(404, await api.get(path));
    expectStatus(200, await api.get(`/candidates/${member?.id ?? 0}`));
    expect(await api.database.query('SELECT FROM selection_members WHERE selection_id = $1', [id])).toEqual([]);
  });
});

describe('a collection limited by a selection', () => {
  test('contains the members that match all other conditions', async () => {
    const members = [
      await make.candidate({ firstname: 'Zoe', tags: ['x'] }),
      await make.candidate({ firstname: 'Yan' }),
    ];
    const { id } = await make.selection({ members });
    const narrowed = await api.get(`/candidates?selection=${id}&sort=firstname!asc`);
    expect([narrowed.headers['x-total-count'], narrowed.items.map(({ firstname }) => firstname)]).toEqual([
      '2',
      ['Yan', 'Zoe'],
    ]);
    expect(idsOf(await api.get(`/candidates?selection=${id}&search=/tags=x`))).toEqual([members[0]?.id]);
    expect(idsOf(await api.get(`/candidates?selection=${id}&filter=yan&per_page=1`))).toEqual([members[1]?.id]);
    const empty = await make.selection();
    expect((await api.get(`/candidates?selection=${empty.id}`)).headers['x-total-count']).toBe('0');
  });

  test('reflects changed members at once, and so does its count', async () => {
    const [a, b] = await candidates(make, 2);
    const { id } = await make.selection({ members: [a, b] as Item[] });
    const read = async (): Promise<readonly unknown[]> => {
      const answer = await api.get(`/candidates?selection=${id}&per_page=1`);
      return [answer.headers['x-total-count'], idsOf(answer)];
    };
    expect(await read()).toEqual(['2', [a?.id]]);
    await api.delete(`/selections/${id}/members/${a?.id ?? 0}`);
    expect(await read()).toEqual(['1', [b?.id]]);
    await api.delete(`/candidates/${b?.id ?? 0}`);
    expect(await read()).toEqual(['0', []]);
  });

  test('can name a selection that another recruiter has made', async () => {
    const [recruiter, member] = [await make.recruiter(), await make.candidate()];
    const { id } = await make.selection({ members: [member] });
    const { token } = await make.credential({ recruiter_id: recruiter.id });
    const { items } = expectStatus(200, await api.get(`/candidates?selection=${id}`, { token }));
    expect(items.map((item) => item.id)).toEqual([member.id]);
  });

  test('needs the scope of selections', async () => {
    const { id } = await make.selection();
    const token = await make.token('candidates:read', 'searches:read');
    // Without the scope, the answer does not reveal whether the selection exists.
    for (const given of [id, UNKNOWN]) {
      const answer = await api.get(`/candidates?selection=${given}`, { token });
      expect([answer.status, answer.problem.message]).toEqual([
        403,
        'The credential lacks the scope selections:read, which the parameter selection needs',
      ]);
    }
    expectStatus(
      200,
      await api.get(`/candidates?selection=${id}`, { token: await make.token('candidates:read', 'selections:read') }),
    );
    // The answer reports other violations, but does not reveal whether the selection exists.
    const others = await api.get('/candidates?selection=999999999&page=0', {
      token: await make.token('candidates:read'),
    });
    expect([others.status, others.violations]).toEqual([400, ['invalid ?page']]);
  });

  test.each([
    ['selection=', 'expected an id, found ""'],
    ['selection=1e3', 'expected an id, found "1e3"'],
    ['selection=-1', 'expected an id, found "-1"'],
    ['selection=999999999', 'there is no selection 999999999 that you can use'],
    ['selection=1&selection=2', 'expected the parameter once, found 2 times: "1", "2"'],
  ])('is rejected for %s', async (query, info) => {
    const { status, problem } = await api.get(`/candidates?${query}`);
    expect([status, problem.errors]).toEqual([
      400,
      [{ resource: 'candidates', path: '', parameter: 'selection', code: 'invalid', info }],
    ]);
  });

  test('is rejected for a selection of another collection, even of the same table', async () => {
    const { id } = await make.selection();
    for (const collection of ['users', 'recruiters', 'applications', 'selections']) {
      const { status, problem } = await api.get(`/${collection}?selection=${id}`);
      expect([status, problem.errors?.[0]?.info]).toEqual([
        400,
        `the selection ${id} is for candidates, not for ${collection}`,
      ]);
    }
  });
});

describe('selections', () => {
  test.each([
    ['candidates', () => make.candidate()],
    ['users', () => make.candidate()],
    ['applications', () => make.application()],
    ['event_applications', () => make.eventApplication()],
    ['vacancies', () => make.vacancy({ state: 'draft' })],
    ['events', () => make.event({ state: 'draft' })],
    ['postings', () => make.posting()],
    ['job_boards', () => make.jobBoard()],
    ['notification_topics', () => make.topic()],
    ['notification_endpoints', () => make.endpoint()],
    ['saved_searches', () => make.savedSearch()],
    ['config_searches', () => make.configSearch()],
    ['selections', () => make.selection()],
  ] as const)('lose a deleted item of the resource %s', async (resource, makeOne) => {
    const [kept, gone] = [await makeOne(), await makeOne()];
    const first = await make.selection({ resource, members: [kept, gone] });
    const second = await make.selection({ resource, members: [gone] });
    expectStatus(204, await api.delete(`/${resource === 'users' ? 'candidates' : resource}/${gone.id}`));
    expect([await memberIds(api, first), await memberIds(api, second)]).toEqual([[kept.id], []]);
    expect([(await selection(api, first))['member_count'], (await selection(api, second))['member_count']]).toEqual([
      1, 0,
    ]);
  });

  test('lose the applications of a deleted candidate', async () => {
    const application = await make.application();
    expectStatus(200, await api.put(`/applications/${application.id}/process_state`, { state: 'rejected' }));
    const made = await make.selection({ resource: 'applications', members: [application] });
    expectStatus(204, await api.delete(`/candidates/${(application['candidate'] as Item).id}`));
    expect(await memberIds(api, made)).toEqual([]);
  });

  test('have a correct count and no deleted member after concurrent changes', async () => {
    const people = await candidates(make, 12);
    const made = await make.selection();
    const path = `/selections/${made.id}/members`;
    const statuses = await Promise.all([
      ...people.map(async ({ id }) => (await api.put(`${path}/${id}`)).status),
      ...people.slice(0, 6).map(async ({ id }) => (await api.delete(`/candidates/${id}`)).status),
      api.put(path, { ids: people.slice(6).map(({ id }) => id) }).then(({ status }) => status),
    ]);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const left = await api.database.query<{ dangling: number; counted: number; member_count: number }>(
      `SELECT count(m.*) FILTER (WHERE u.id IS NULL) AS dangling, count(m.*) AS counted, s.member_count
       FROM selections s LEFT JOIN selection_members m ON m.selection_id = s.id LEFT JOIN users u ON u.id = m.member_id WHERE s.id = $1 GROUP BY s.id`,
      [made.id],
    );
    expect(left).toEqual([
      { dangling: 0, counted: left[0]?.member_count, member_count: (await memberIds(api, made)).length },
    ]);
  });
});
