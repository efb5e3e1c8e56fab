// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { UNKNOWN, idsOf, byId, memberIds, selection, candidates } from './members.js';

const { api, make } = useApi();

describe('the members of a selection', () => {
  test('are replaced as a whole; a repeated id counts once', async () => {
    const [a, b, c] = await candidates(make, 3);
    const made = await make.selection({ members: [a, b] as Item[] });
    const { item, etag } = expectStatus(
      200,
      await api.put(`/selections/${made.id}/members`, { ids: [c?.id, b?.id, c?.id] }),
    );
    expect(item).toEqual({ ...(await selection(api, made)), member_count: 2 });
    expect(etag).toBe((await api.get(`/selections/${made.id}`)).etag);
    expect(await memberIds(api, made)).toEqual([b?.id, c?.id]);
    expectStatus(200, await api.put(`/selections/${made.id}/members`, { ids: [] }));
    expect(await memberIds(api, made)).toEqual([]);
  });

  test('are paged in the order of their ids', async () => {
    const members = await candidates(make, 5);
    const { id } = await make.selection({ members: [...members].reverse() });
    const whole = await api.get(`/selections/${id}/members`);
    expect(whole.items).toEqual(
      byId(members).map((memberId) => ({ id: memberId, url: `${BASE_URL}/api/v1/candidates/${memberId}` })),
    );
    const page = await api.get(`/selections/${id}/members?page=2&per_page=2`);
    expect([page.headers['x-total-count'], idsOf(page)]).toEqual(['5', byId(members).slice(2, 4)]);
    const links = Object.fromEntries(
      [...(page.headers['link'] ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, relation]) => [
        String(relation),
        url,
      ]),
    );
    const at = (number: number): string => `${BASE_URL}/api/v1/selections/${id}/members?page=${number}&per_page=2`;
    expect(links).toEqual({ first: at(1), prev: at(1), next: at(3), last: at(3) });
    const past = await api.get(`/selections/${id}/members?page=9&per_page=2`);
    expect([past.status, past.items, past.headers['x-total-count']]).toEqual([200, [], '5']);
  });

  test('are added and removed one by one', async () => {
    const [a, b] = await candidates(make, 2);
    const made = await make.selection({ members: [a] as Item[] });
    const path = `/selections/${made.id}/members/${b?.id ?? 0}`;
    const added = expectStatus(204, await api.put(path));
    expect(added.text).toBe('');
    expect(await memberIds(api, made)).toEqual([a?.id, b?.id]);
    // A client may add an item that is already a member.
    expectStatus(204, await api.put(path));
    expect((await selection(api, made))['member_count']).toBe(2);
    expectStatus(204, await api.delete(path));
    expect(await memberIds(api, made)).toEqual([a?.id]);
    // Removing an item that is not a member gives 404.
    const again = await api.delete(path);
    expect([again.status, again.problem.message]).toEqual([404, `member ${b?.id ?? 0} was not found`]);
  });

  test('must be items of the collection', async () => {
    const application = await make.application();
    const registration = await make.eventApplication();
    const vacancy = await make.vacancy();
    const recruiter = await make.recruiter();
    for (const [resource, right, wrong] of [
      ['applications', application, registration],
      ['event_applications', registration, application],
      ['vacancies', vacancy, await make.event()],
      ['candidates', await make.candidate(), recruiter],
      ['recruiters', recruiter, await make.candidate()],
      ['users', recruiter, { id: UNKNOWN }],
    ] as const) {
      const { id } = await make.selection({ resource });
      expect([
        resource,
        (await api.put(`/selections/${id}/members/${right.id}`)).status,
        (await api.put(`/selections/${id}/members/${wrong.id}`)).status,
      ]).toEqual([resource, 204, 404]);
      const refused = await api.put(`/selections/${id}/members`, { ids: [right.id, wrong.id] });
      expect([resource, refused.status, refused.violations]).toEqual([resource, 422, ['invalid /ids/1']]);
      expect([resource, (await api.get(`/selections/${id}/members`)).items]).toEqual([
        resource,
        [{ id: right.id, url: expect.stringMatching(new RegExp(`/${right.id}$`)) }],
      ]);
    }
  });

  test('report all violations at once', async () => {
    const [a] = await candidates(make, 1);
    const made = await make.selection({ members: [a] as Item[] });
    const ids = [a?.id, UNKNOWN, 'x', null, 1.5, -1, 2 ** 53, [1], UNKNOWN];
    const { status, problem } = await api.put(`/selections/${made.id}/members`, { ids });
    expect([status, problem.errors?.map(({ resource, path, code, info }) => [resource, path, code, info])]).toEqual([
      422,
      [1, 2, 3, 4, 5, 6, 7, 8].map((index) => [
        'selections',
        `/ids/${index}`,
        'invalid',
        ids[index] === UNKNOWN ? `there is no candidate ${UNKNOWN} among the candidates` : 'expected an id',
      ]),
    ]);
    expect(await memberIds(api, made)).toEqual([a?.id]);
  });

  test.each([
    [{}, ['missing /ids']],
    [{ ids: null }, ['missing /ids']],
    [{ ids: 1 }, ['invalid /ids']],
    [{ ids: { 0: 1 } }, ['invalid /ids']],
    [{ ids: [], id: 1 }, ['invalid /id']],
    [{ ids: Array.from({ length: 10_001 }, () => 1) }, ['invalid /ids']],
  ])('reject an invalid body (%#)', async (body, violations) => {
    const { id } = await make.selection();
    const answer = await api.put(`/selections/${id}/members`, body);
    expect([answer.status, answer.violations]).toEqual([422, violations]);
  });

  test('accept at most 10,000 ids per request', async () => {
    await api.database.query(
      `INSERT INTO users (id, type, firstname, lastname, email) SELECT id, 'candidate', 'C', 'C', id || '@many.example.com' FROM generate_series(1000001, 1010000) id`,
    );
    const ids = Array.from({ length: 10_000 }, (_, index) => 1_000_001 + index);
    const made = await make.selection();
    expect(expectStatus(200, await api.put(`/selections/${made.id}/members`, { ids })).item['member_count']).toBe(
      10_000,
    );
    expect((await api.get(`/candidates?selection=${made.id}&per_page=1`)).headers['x-total-count']).toBe('10000');
    const wrong = await api.put(`/selections/${made.id}/members`, { ids: ids.map((id) => id + UNKNOWN) });
    const errors = wrong.problem.errors ?? [];
    expect([wrong.status, errors.length, errors[0]?.path, errors[99]?.path, errors[100]]).toEqual([
      422,
      101,
      '/ids/0',
      '/ids/99',
      {
        resource: 'selections',
        path: '/ids',
        code: 'invalid',
        info: '9900 more ids are not items of the collection',
      },
    ]);
    expect(
      expectStatus(200, await api.put(`/selections/${made.id}/members`, { ids: ids.slice(1) })).item['member_count'],
    ).toBe(9_999);
  });

  test('change updated_dt only when they change', async () => {
    const [a, b] = await candidates(make, 2);
    const made = await make.selection({ members: [a] as Item[] });
    const path = `/selections/${made.id}/members`;
    let last = (await selection(api, made))['updated_dt'];
    const hasMoved = async (answer: Answer): Promise<boolean> => {
      expect(answer.status).toBeLessThan(300);
      const before = last;
      last = (await selection(api, made))['updated_dt'];
      return last !== before;
    };
    expect(await hasMoved(await api.put(path, { ids: [a?.id] }))).toBe(false);
    expect(await hasMoved(await api.put(`${path}/${a?.id ?? 0}`))).toBe(false);
    expect(await hasMoved(await api.put(`${path}/${b?.id ?? 0}`))).toBe(true);
    expect(await hasMoved(await api.put(path, { ids: [b?.id, a?.id] }))).toBe(false);
    expect(await hasMoved(await api.delete(`${path}/${b?.id ?? 0}`))).toBe(true);
    expect(await hasMoved(await api.put(path, { ids: [b?.id] }))).toBe(true);
    expect(await hasMoved(await api.delete(`/candidates/${b?.id ?? 0}`))).toBe(true);
  });

  test('honour If-Match', async () => {
    const [a] = await candidates(make, 1);
    const made = await make.selection();
    const path = `/selections/${made.id}/members`;
    const { etag } = await api.get(`/selections/${made.id}`);
    const stale = { headers: { 'if-match': '"stale"' } };
    const current = { headers: { 'if-match': etag } };
    for (const answer of [
      await api.put(path, { ids: [a?.id] }, stale),
      await api.put(`${path}/${a?.id ?? 0}`, undefined, stale),
      await api.delete(`${path}/${a?.id ?? 0}`, stale),
    ]) {
      expect(answer.status).toBe(412);
    }
    const replaced = expectStatus(200, await api.put(path, { ids: [a?.id] }, current));
    expect((await api.delete(`${path}/${a?.id ?? 0}`, current)).status).toBe(412);
    expectStatus(204, await api.delete(`${path}/${a?.id ?? 0}`, { headers: { 'if-match': replaced.etag } }));
  });

  test('are added by requests without a body, which need Content-Length: 0', async () => {
    const [a] = await candidates(make, 1);
    const { id } = await make.selection();
    const path = `/api/v1/selections/${id}/members/${a?.id ?? 0}`;
    expect((await api.request('PUT', path, { payload: '' })).status).toBe(411);
    expectStatus(204, await api.request('PUT', path));
  });

  test('need the read scope of their collection for every operation', async () => {
    const [a] = await candidates(make, 1);
    const { id } = await make.selection({ members: [a] as Item[] });
    const path = `/selections/${id}/members`;
    const ask = async (token: string): Promise<readonly string[]> => {
      const answers = [
        await api.get(path, { token }),
        await api.put(path, { ids: [a?.id] }, { token }),
        await api.put(`${path}/${a?.id ?? 0}`, undefined, { token }),
        await api.delete(`${path}/${a?.id ?? 0}`, { token }),
      ];
      return answers.map(({ status, text }) =>
        status === 403 ? `403 ${(JSON.parse(text) as { message: string }).message}` : String(status),
      );
    };
    const lacking = '403 The credential lacks the scope candidates:read, which a selection of candidates needs';
    expect(
      await ask(await make.token('selections:read', 'selections:write', 'candidates:write', 'users:read')),
    ).toEqual([lacking, lacking, lacking, lacking]);
    const readOnly = '403 The credential lacks the scope selections:write';
    expect(await ask(await make.token('selections:read', 'candidates:read'))).toEqual([
      '200',
      readOnly,
      readOnly,
      readOnly,
    ]);
    expect(await ask(await make.token('selections:read', 'selections:write', 'candidates:read'))).toEqual([
      '200',
      '200',
      '204',
      '204',
    ]);
    // The selection itself does not show its members, so reading it needs no scope of their collection.
    expectStatus(200, await api.get(`/selections/${id}`, { token: await make.token('selections:read') }));
  });

  test('include only saved searches that the reader can see', async () => {
    const [own, shared] = [await make.savedSearch(), await make.savedSearch({ is_shared: true })];
    const made = await make.selection({ resource: 'saved_searches', members: [own, shared] });
    const other = {
      token: (await make.credential({ scopes: ['*:read', '*:write'], recruiter_id: (await make.recruiter()).id }))
        .token,
    };
    const seen = await api.get(`/selections/${made.id}/members`, other);
    expect([idsOf(seen), seen.headers['x-total-count']]).toEqual([[shared.id], '1']);
    expect((await api.put(`/selections/${made.id}/members`, { ids: [own.id] }, other)).violations).toEqual([
      'invalid /ids/0',
    ]);
    expectStatus(404, await api.put(`/selections/${made.id}/members/${own.id}`, undefined, other));
    expect(idsOf(await api.get(`/saved_searches?selection=${made.id}`, other))).toEqual([shared.id]);
  });
});
