import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const LATER = '2099-01-01T00:00:00.000Z';

describe('a credential', () => {
  test('shows its token once, with Cache-Control: no-store', async () => {
    const body = {
      name: 'Integration',
      scopes: ['applications:read', '*:write'],
      api_version: '1.9',
      language: 'de',
      expires_dt: LATER,
    };
    const { headers, item: made } = expectStatus(201, await api.post('/credentials', body));
    const { token, ...item } = made;
    expect(token).toMatch(/^ats_[A-Za-z0-9]{8,32}_[A-Za-z0-9_-]{43}$/);
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/credentials/${item.id}`),
      key_id: String(token).split('_')[1],
      ...body,
      last_used_dt: null,
      revoked_dt: null,
      recruiter: { id: expect.any(Number), url: expect.stringContaining('/recruiters/') },
      created_by: { id: expect.any(Number), url: expect.stringContaining('/credentials/') },
      allowed_cidrs: [],
    });
    expect([headers['location'], headers['cache-control']]).toEqual([item.url, 'no-store']);
    const secret = String(token).slice(-43);
    for (const path of [`/credentials/${item.id}`, '/credentials?per_page=1000'])
      expect((await api.get(path)).text).not.toContain(secret);
    const rows = await api.database.query(
      'SELECT t::text AS row FROM credentials t UNION ALL SELECT u::text FROM users u',
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('can read /me without any scope', async () => {
    const { id, token } = await make.credential({ scopes: ['layouts:read'] });
    const { status, item } = await api.get('/me', { token });
    expect([status, item.id, item['last_used_dt']]).toEqual([200, id, expect.any(String)]);
  });

  test('acts as the recruiter of its creator by default, or as a given recruiter', async () => {
    const [own] = (await api.get('/recruiters')).items;
    const { item: other } = await api.post('/recruiters', {
      firstname: 'Lin',
      lastname: 'Li',
      email: 'lin@example.com',
    });
    expect(await make.credential()).toMatchObject({ recruiter: { id: own?.id } });
    const { token } = await make.credential({ recruiter_id: other.id, scopes: ['*:read', '*:write'] });
    const { item } = await api.post('/vacancies', { title: 'T' }, { token });
    expect((await api.get(`/vacancies/${item.id}/history`)).json).toMatchObject({
      items: [{ user: { id: other.id, url: other.url } }],
    });
  });

  test('is rejected once revoked, and stays readable', async () => {
    const { id, token } = await make.credential();
    expect((await api.get('/candidates', { token })).status).toBe(200);
    expectStatus(204, await api.delete(`/credentials/${id}`));
    expect((await api.get('/candidates', { token })).status).toBe(401);
    const { item } = await api.get(`/credentials/${id}`);
    expect(item['revoked_dt']).toEqual(expect.any(String));
    expectStatus(204, await api.delete(`/credentials/${id}`));
    expect((await api.get(`/credentials/${id}`)).item['revoked_dt']).toBe(item['revoked_dt']);
  });

  test('cannot be replaced', async () => {
    const { id } = await make.credential();
    expect((await api.put(`/credentials/${id}`, {})).status).toBe(405);
  });
});

describe('creating a credential', () => {
  test.each([
    [{}, ['missing /name', 'missing /scopes']],
    [{ name: 'x', scopes: [] }, ['invalid /scopes']],
    [{ name: 'x', scopes: 'applications:read' }, ['invalid /scopes']],
    [
      { name: 'x', scopes: ['applications:remove', 'applications', '*', '*:*', 1] },
      [0, 1, 2, 3, 4].map((index) => `invalid /scopes/${index}`),
    ],
    [
      { name: 'x', scopes: ['*:read'], api_version: '1.1', language: 'ja', expires_dt: 'soon' },
      ['invalid /api_version', 'invalid /expires_dt', 'invalid /language'],
    ],
    [{ name: 'x', scopes: ['*:read'], recruiter_id: 999_999 }, ['invalid /recruiter_id']],
    [{ name: 'x', scopes: ['*:read'], token: 'mine', key_id: 'mine' }, ['invalid /key_id', 'invalid /token']],
  ])('rejects the body %j', async (body, violations) => {
    const { status, violations: found } = await api.post('/credentials', body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('grants no scope that its creator lacks', async () => {
    const token = await make.token('credentials:write', 'applications:read', '*:read');
    const post = (scopes: readonly string[]) => api.post('/credentials', { name: 'x', scopes }, { token });
    expect((await post(['candidates:read', 'applications:write', '*:write'])).violations).toEqual([
      'invalid /scopes/1',
      'invalid /scopes/2',
    ]);
    expectStatus(201, await post(['*:read', 'credentials:write']));
  });

  test('reports all violations at once', async () => {
    const token = await make.token('credentials:write', 'credentials:impersonate');
    const { violations } = await api.post(
      '/credentials',
      { name: '', scopes: ['nothing', '*:read'], recruiter_id: 999_999 },
      { token },
    );
    expect([...violations].sort()).toEqual([
      'invalid /name',
      'invalid /recruiter_id',
      'invalid /scopes/0',
      'invalid /scopes/1',
    ]);
  });

  test('needs credentials:create', async () => {
    const { problem, status } = await api.post(
      '/credentials',
      {},
      { token: await make.token('credentials:read', 'users:write') },
    );
    expect([status, problem.message]).toEqual([403, 'The credential lacks the scope credentials:create']);
  });
});
