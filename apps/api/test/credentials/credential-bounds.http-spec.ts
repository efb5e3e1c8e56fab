// @group sample: npm test runs a quarter of its tests
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let bounded: Api;
let brief: Api;
let proxied: Api;
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const statusOf = async (token: string, through: Api = api): Promise<number> =>
  (await through.get('/scopes', { token })).status;
const SMALL = ['credentials:write', 'searches:read'];

/** Creates a credential that expires in ten days. It has the scopes to write credentials and to read searches. */
const maker = (): Promise<Item & { readonly token: string }> =>
  make.credential({ scopes: SMALL, expires_dt: inDays(10) });
async function childOf(token: string, body: object = {}): Promise<Item & { readonly token: string }> {
  const answer = await api.post('/credentials', { name: 'Child', scopes: SMALL, ...body }, { token });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.item as Item & { readonly token: string };
}

beforeAll(async () => {
  bounded = await api.beside({ CREDENTIAL_LIMIT: 2 });
  brief = await api.beside({ CREDENTIAL_MAX_LIFETIME_DAYS: 30 });
  proxied = await api.beside({ TRUSTED_PROXIES: '10.0.0.0/8' });
});
afterAll(async () => {
  await Promise.all([bounded, brief, proxied].map(({ app }) => app.close()));
});

describe('the expiry of a credential', () => {
  test('defaults to that of its maker and is never later', async () => {
    const { token, ...own } = await maker();
    for (const body of [{}, { expires_dt: null }]) {
      const { id } = await childOf(token, body);
      expect((await api.get(`/credentials/${id}`)).item['expires_dt']).toBe(own['expires_dt']);
    }
    const later = await api.post('/credentials', { name: 'x', scopes: SMALL, expires_dt: inDays(11) }, { token });
    expect([later.status, later.violations]).toEqual([422, ['invalid /expires_dt']]);
  });

  test('must be in the future', async () => {
    const { status, violations } = await api.post('/credentials', {
      name: 'x',
      scopes: ['*:read'],
      expires_dt: '2020-01-01T00:00:00Z',
    });
    expect([status, violations]).toEqual([422, ['invalid /expires_dt']]);
  });

  test('is at most the maximum lifetime from now, which is also the default', async () => {
    const body = { name: 'x', scopes: ['*:read'] };
    const own = (await brief.post('/credentials', { name: 'x', scopes: ['*:write', '*:read'] })).item;
    expect(Date.parse(String(own['expires_dt'])) / DAY_MS).toBeCloseTo(Date.now() / DAY_MS + 30, 1);
    const token = String(own['token']);
    expect((await brief.post('/credentials', { ...body, expires_dt: inDays(31) }, { token })).violations).toEqual([
      'invalid /expires_dt',
    ]);
    expect((await brief.post('/credentials', { ...body, expires_dt: inDays(29) }, { token })).status).toBe(201);
  });
});

describe('a credential that acts as another recruiter', () => {
  test('needs credentials:impersonate, which *:write does not include', async () => {
    const { id } = await make.recruiter();
    const body = { name: 'x', scopes: ['*:read'], recruiter_id: id };
    const refused = await api.post('/credentials', body, { token: await make.token('*:read', '*:write') });
    expect([refused.status, refused.problem.message]).toEqual([
      403,
      `The credential lacks the scope credentials:impersonate, which recruiter_id ${id} needs`,
    ]);
    const token = await make.token('*:read', '*:write', 'credentials:impersonate');
    expect((await api.post('/credentials', body, { token })).status).toBe(201);
  });

  test('is refused when that recruiter is inactive', async () => {
    const { id } = await make.recruiter({ is_active: false });
    const { status, violations } = await api.post('/credentials', { name: 'x', scopes: ['*:read'], recruiter_id: id });
    expect([status, violations]).toEqual([422, ['invalid /recruiter_id']]);
  });
});

describe('a recruiter who is not active', () => {
  test('cannot use his or her credentials or those that they made, until the recruiter is activated again', async () => {
    const [recruiter, other] = [await make.recruiter(), await make.recruiter()];
    const setActive = (isActive: boolean) =>
      api.request('PATCH', `/api/v1/recruiters/${recruiter.id}`, { body: { is_active: isActive } });
    const own = await make.credential({ scopes: ['*:read', '*:write', '*:admin'], recruiter_id: recruiter.id });
    const { token } = await childOf(own.token, { recruiter_id: other.id });
    expect([await statusOf(own.token), await statusOf(token)]).toEqual([200, 200]);
    expect((await setActive(false)).status).toBe(200);
    expect([await statusOf(own.token), await statusOf(token)]).toEqual([401, 401]);
    expect((await setActive(true)).status).toBe(200);
    expect([await statusOf(own.token), await statusOf(token)]).toEqual([200, 200]);
  });
});

describe('revoking a credential', () => {
  test('revokes all credentials that this credential has made', async () => {
    const { id, token } = await maker();
    const child = await childOf(token);
    const grandchild = await childOf(child.token);
    expect((await api.delete(`/credentials/${id}`)).status).toBe(204);
    for (const one of [token, child.token, grandchild.token]) expect(await statusOf(one)).toBe(401);
    const { item } = await api.get(`/credentials/${grandchild.id}`);
    expect([item['revoked_dt'], item['created_by']]).toEqual([expect.any(String), { id: child.id, url: child.url }]);
  });

  test('with keep_children=true keeps the credentials that it made, until it is revoked again without the flag', async () => {
    const { id, token } = await maker();
    const child = await childOf(token);
    expect((await api.delete(`/credentials/${id}?keep_children=true`)).status).toBe(204);
    expect([await statusOf(token), await statusOf(child.token)]).toEqual([401, 200]);
    expect((await api.delete(`/credentials/${id}`)).status).toBe(204);
    expect(await statusOf(child.token)).toBe(401);
  });

  test('needs credentials:write to keep the credentials that it has made', async () => {
    const { id, token } = await make.credential({ scopes: ['credentials:create', 'credentials:delete'] });
    const kept = await api.delete(`/credentials/${id}?keep_children=true`, { token });
    expect([kept.status, kept.problem.message]).toEqual([
      403,
      'The credential lacks the scope credentials:write, which keep_children needs',
    ]);
    expect((await api.delete(`/credentials/${id}?keep_children=false`)).status).toBe(400);
    expect((await api.delete(`/credentials/${id}`, { token })).status).toBe(204);
  });

  test('needs the scopes of the revoked credential or credentials:admin, unless a credential revokes itself', async () => {
    const { id, token } = await make.credential({ scopes: ['*:read', '*:write'] });
    const own = await maker();
    const refused = await api.delete(`/credentials/${id}`, { token: own.token });
    expect([refused.status, refused.problem.message]).toEqual([
      403,
      'The credential lacks the scope *:read, which the credential to revoke has',
    ]);
    expect(await statusOf(token)).toBe(200);
    expect((await api.delete(`/credentials/${own.id}`, { token: own.token })).status).toBe(204);
    const admin = await make.token('credentials:write', 'credentials:admin');
    expect((await api.delete(`/credentials/${id}`, { token: admin })).status).toBe(204);
  });

  test('is recorded in the audit log with all credentials that it revokes, like creation and first use', async () => {
    const { id, token } = await maker();
    const child = await childOf(token);
    await api.delete(`/credentials/${id}`);
    const entries = await api.database.query(
      `SELECT action, credential_id, item_ids::text AS ids FROM audit_entries
       WHERE item_ids && ARRAY[$1, $2]::bigint[] ORDER BY id`,
      [id, child.id],
    );
    expect(entries).toEqual([
      { action: 'credential_created', credential_id: expect.any(Number), ids: `{${id}}` },
      { action: 'credential_first_used', credential_id: id, ids: `{${id}}` },
      { action: 'credential_created', credential_id: id, ids: `{${child.id}}` },
      { action: 'credential_revoked', credential_id: expect.any(Number), ids: `{${id},${child.id}}` },
    ]);
  });

  test('ends its right to make credentials at once, also in a process that has not noticed it', async () => {
    const { id, token } = await maker();
    expect(await statusOf(token, brief)).toBe(200);
    await api.delete(`/credentials/${id}`);
    const { status } = await brief.post('/credentials', { name: 'x', scopes: SMALL }, { token });
    expect(status).toBe(401);
  });
});

describe('the last credential that can write credentials', () => {
  let alone: Api;

  beforeAll(async () => {
    alone = await Api.start();
  });
  afterAll(() => alone.close());

  test('cannot be revoked, nor its recruiter deactivated, until another one without expiry exists', async () => {
    const { item: own } = await alone.get('/me');
    const recruiter = (own['recruiter'] as { readonly id: number }).id;
    const keepOrNot = ['', '?keep_children=true'];
    const attempts = async (): Promise<readonly number[]> => [
      ...(await Promise.all(
        keepOrNot.map(async (query) => (await alone.delete(`/credentials/${own.id}${query}`)).status),
      )),
      (await alone.request('PATCH', `/api/v1/recruiters/${recruiter}`, { body: { is_active: false } })).status,
    ];
    const factories = new Factories(alone);
    await factories.credential({ scopes: ['*:write'], expires_dt: inDays(3) });
    await factories.credential({ scopes: ['*:read', 'credentials:create'] });
    expect(await attempts()).toEqual([409, 409, 409]);
    const other = await factories.credential({
      scopes: ['*:read', '*:write', '*:admin'],
      recruiter_id: (await factories.recruiter()).id,
    });
    // Without `keep_children`, the first request would also revoke the other lasting credential, so it is refused.
    expect((await alone.delete(`/credentials/${own.id}`)).status).toBe(409);
    expect((await alone.delete(`/credentials/${own.id}?keep_children=true`)).status).toBe(204);
    expect((await alone.delete(`/credentials/${other.id}`, { token: other.token })).status).toBe(409);
  });
});

describe('the limit of live credentials', () => {
  test('counts the credentials that a credential made, itself or through others, until they are revoked', async () => {
    const { id, token } = await maker();
    // Earlier tests made credentials with the maker of this credential. They must not count here.
    await api.database.query(`UPDATE credentials SET maker_ids = '{}' WHERE id = $1`, [id]);
    const child = await childOf(token);
    const make2 = (by: string) => bounded.post('/credentials', { name: 'x', scopes: SMALL }, { token: by });
    const second = await make2(child.token);
    expect(second.status).toBe(201);
    const refused = [await make2(child.token), await make2(token)];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(refused[0]?.problem.message).toMatch(/has made 2 live credentials, which is the limit/);
    expect((await api.delete(`/credentials/${second.item.id}`)).status).toBe(204);
    expect((await make2(token)).status).toBe(201);
  });
});

describe('allowed_cidrs of a credential', () => {
  const CIDRS = ['203.0.113.0/24', '2001:db8::/32'];
  const at = (token: string, address: string, headers: Readonly<Record<string, string>> = {}) =>
    proxied.get('/me', { token, remoteAddress: address, headers });

  test('limit the IP addresses from which it works, also behind a trusted proxy', async () => {
    const { token, ...item } = await make.credential({ allowed_cidrs: CIDRS });
    expect(item['allowed_cidrs']).toEqual(CIDRS);
    const forwarded = (address: string) => ({ 'x-forwarded-for': address });
    const statuses = [
      await at(token, '203.0.113.9'),
      await at(token, '::ffff:203.0.113.9'),
      await at(token, '2001:db8::7'),
      await at(token, '198.51.100.1'),
      await at(token, '10.0.0.1', forwarded('203.0.113.9')),
      await at(token, '10.0.0.1', forwarded('198.51.100.1')),
      await at(token, '198.51.100.1', forwarded('203.0.113.9')),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 401, 200, 401, 401]);
  });

  test('give other addresses the same answer as for a wrong token', async () => {
    const { token } = await make.credential({ allowed_cidrs: CIDRS });
    const wrong = `${token.slice(0, -4)}AAAA`;
    const [outside, unknown] = [await at(token, '198.51.100.1'), await at(wrong, '198.51.100.1')];
    expect([outside.status, unknown.problem, outside.headers['www-authenticate']]).toEqual([
      401,
      { ...outside.problem, request_id: expect.any(String) },
      unknown.headers['www-authenticate'],
    ]);
  });

  test('lie inside the networks of the maker, which are the default', async () => {
    const { token } = await make.credential({ scopes: SMALL, allowed_cidrs: CIDRS });
    const post = (allowed_cidrs?: readonly string[]) =>
      proxied.post(
        '/credentials',
        { name: 'x', scopes: SMALL, ...(allowed_cidrs && { allowed_cidrs }) },
        { token, remoteAddress: '203.0.113.9' },
      );
    const children = await Promise.all([post(), post([]), post(['203.0.113.128/25', '2001:db8:1::/48'])]);
    const ids = children.map(({ item }) => item.id);
    const shown = await Promise.all(ids.map(async (id) => (await api.get(`/credentials/${id}`)).item['allowed_cidrs']));
    expect(shown).toEqual([CIDRS, CIDRS, ['203.0.113.128/25', '2001:db8:1::/48']]);
    const wider = await post(['203.0.113.0/24', '203.0.112.0/23', '0.0.0.0/0', '2001:db8::/31']);
    expect(wider.violations).toEqual([
      'invalid /allowed_cidrs/1',
      'invalid /allowed_cidrs/2',
      'invalid /allowed_cidrs/3',
    ]);
  });

  test.each(['203.0.113.9', '203.0.113.0/33', '::/129', 'example.com/24', '::ffff:10.0.0.0/104', ''])(
    'may not contain %j',
    async (network) => {
      const { status, violations } = await api.post('/credentials', {
        name: 'x',
        scopes: ['*:read'],
        allowed_cidrs: [network],
      });
      expect([status, violations]).toEqual([422, ['invalid /allowed_cidrs/0']]);
    },
  );
});

describe('a repeated request with an Idempotency-Key', () => {
  test('gets the new credential without its token', async () => {
    const send = () =>
      api.post('/credentials', { name: 'x', scopes: ['*:read'] }, { headers: { 'idempotency-key': 'token once' } });
    const [first, again] = [await send(), await send()];
    const { token, ...item } = first.item;
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(token).toEqual(expect.any(String));
    expect(again.item).toEqual(item);
    expect(again.headers['cache-control']).toBe('no-store');
  });
});
