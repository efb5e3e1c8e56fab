// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { CATALOGUES } from '@ats/domain';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import {
  at,
  NO_LONGER_VALID,
  BELOW,
  FROM,
  person,
  create,
  tokenOf,
  activate,
  statusOf,
  historyOf,
} from './activations.js';

const { api, make } = useApi();

describe('POST /candidates/activate', () => {
  test('makes the candidate active and records it in the history', async () => {
    const before = await create(api);
    const token = await tokenOf(api, before);
    const etag = (await api.get(`/candidates/${before.id}`)).etag;
    const answer = expectStatus(200, await activate(api, token));
    expect(answer.item).toEqual({ ...before, status: 'active', updated_dt: expect.any(String) });
    expect(String(answer.item['updated_dt']) > String(before['updated_dt'])).toBe(true);
    const now = await api.get(`/candidates/${before.id}`);
    expect([now.item, now.etag]).toEqual([answer.item, answer.etag]);
    expect(now.etag).not.toBe(etag);
    const [entry, created] = await historyOf(api, before);
    expect(entry).toMatchObject({
      type: 'field_change',
      changes: [{ path: '/status', old: 'pending_activation', new: 'active' }],
      user: { id: expect.any(Number) },
    });
    const change = { path: '/activation_mail', old: null, new: 'queued' };
    expect(created).toMatchObject({ type: 'created', changes: [change], user: { id: expect.any(Number) } });
    expect(answer.text).not.toContain(token);
  });

  test('gives the same answer to every token that is not valid', async () => {
    const [used, expired, replaced] = [await create(api), await create(api), await create(api)];
    const tokens = [
      await tokenOf(api, used),
      await tokenOf(api, expired),
      await tokenOf(api, replaced),
      'A'.repeat(43),
    ];
    expectStatus(200, await activate(api, tokens[0]));
    await api.database.query(
      `UPDATE account_activations SET expires_dt = now() - interval '1 second' WHERE user_id = $1`,
      [expired.id],
    );
    expectStatus(200, await api.put(`/candidates/${replaced.id}`, person()));
    for (const token of tokens) {
      const { problem } = expectStatus(422, await activate(api, token));
      expect(problem).toEqual({
        message: 'Validation failed',
        errors: [{ resource: 'candidates', path: '/token', code: 'invalid', info: NO_LONGER_VALID }],
        request_id: expect.any(String),
      });
    }
    expect(await statusOf(api, expired)).toBe('pending_activation');
  });

  test('answers in the language of the request', async () => {
    const { problem } = expectStatus(
      422,
      await activate(api, 'A'.repeat(43), { headers: { 'accept-language': 'de' } }),
    );
    expect(problem.errors?.[0]?.info).toBe(CATALOGUES.de[NO_LONGER_VALID]);
    expect(CATALOGUES.de[NO_LONGER_VALID]).toEqual(expect.any(String));
  });

  test.each<[unknown, string[]]>([
    [[], ['invalid ']],
    ['token', ['invalid ']],
    [{}, ['missing /token']],
    [{ token: null }, ['missing /token']],
    [{ token: '' }, ['invalid /token']],
    [{ token: 7 }, ['invalid /token']],
    [{ token: ['A'.repeat(43)] }, ['invalid /token']],
    [{ token: { $ne: '' } }, ['invalid /token']],
    [{ token: 'A'.repeat(42) }, ['invalid /token']],
    [{ token: `${'A'.repeat(42)}\u0000` }, ['invalid /token']],
    [{ token: `${'A'.repeat(42)}\ud800` }, ['invalid /token']],
    [{ token: ` ${'A'.repeat(43)}` }, ['invalid /token']],
    [{ token: 'A'.repeat(1_000_000) }, ['invalid /token']],
    [{ token: 'x', password: 'secret', id: 1 }, ['invalid /id', 'invalid /password', 'invalid /token']],
  ])('rejects a body with a malformed token, or without one (case %#)', async (body, violations) => {
    const answer = await api.post('/candidates/activate', body, at('1.7'));
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('answers 400 to a request without a body', async () => {
    expectStatus(400, await api.post('/candidates/activate', undefined, at('1.7')));
  });

  test('succeeds for exactly one of several concurrent requests', async () => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(api, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    const change = { path: '/status', old: 'pending_activation', new: 'active' };
    expect((await historyOf(api, item)).map(({ changes }) => changes)).toEqual([
      [change],
      [{ path: '/activation_mail', old: null, new: 'queued' }],
    ]);
  });

  test('replays the first answer for the same Idempotency-Key', async () => {
    const token = await tokenOf(api, await create(api));
    const options = { headers: { 'idempotency-key': 'activate Ada', 'api-version': '1.7' } };
    const [first, again] = [await activate(api, token, options), await activate(api, token, options)];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('needs candidates:write', async () => {
    const token = await tokenOf(api, await create(api));
    const reader = await make.credential({ scopes: ['candidates:read'] });
    const writer = await make.credential({ scopes: ['candidates:write'] });
    expectStatus(401, await activate(api, token, { token: null }));
    expect(expectStatus(403, await activate(api, token, { token: String(reader['token']) })).problem.message).toContain(
      'candidates:write',
    );
    expectStatus(200, await activate(api, token, { token: String(writer['token']) }));
  });

  test.each(FROM)('answers 404 in version %s', async (version) => {
    const token = await tokenOf(api, await create(api));
    expectStatus(404, await activate(api, token, at(version)));
    expectStatus(200, await activate(api, token));
  });

  test.each(FROM)('is an unknown path in version %s, for every method and credential', async (version) => {
    const own = String((await make.credential({ scopes: ['*:read', '*:write'], api_version: version }))['token']);
    const path = '/api/v1/candidates/activate';
    const unknown = { message: `The path ${path} was not found`, request_id: expect.any(String) };
    for (const options of [at(version), { token: own }] as readonly RequestOptions[]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const) {
        const answer = await api.request(method, path, options);
        expect([method, answer.status, answer.headers['allow'], answer.problem]).toEqual([
          method,
          404,
          undefined,
          unknown,
        ]);
      }
      expectStatus(404, await api.request('HEAD', path, options));
      const bodies: readonly RequestOptions[] = [
        { payload: '{' },
        { payload: 'x', headers: { 'content-type': 'text/plain' } },
        { payload: 'x'.repeat(2_000_000) },
        { body: { token: 'x' }, headers: { 'idempotency-key': 'x' } },
      ];
      for (const body of bodies) {
        const answer = await api.request('POST', path, {
          ...options,
          ...body,
          headers: { ...options.headers, ...body.headers },
        });
        expect([answer.status, answer.problem]).toEqual([404, unknown]);
      }
    }
    const reader = await make.token('candidates:read');
    expectStatus(404, await api.request('POST', path, { ...at(version), token: reader }));
    expectStatus(404, await api.request('OPTIONS', path, { ...at(version), token: null }));
    expectStatus(204, await api.request('OPTIONS', path, { ...at('1.7'), token: own }));
    expectStatus(401, await api.request('POST', path, { ...at(version), token: null }));
  });

  test('is the only method of its path', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, headers } = await api.request(method, '/api/v1/candidates/activate', at('1.7'));
      expect([method, status, headers['allow']]).toEqual([method, 405, 'OPTIONS, POST']);
    }
  });
});

test('no log line contains an activation token', async () => {
  const item = await create(api);
  const token = await tokenOf(api, item);
  const before = api.log.length;
  await api.request('GET', `/activate?token=${token}`, { token: null });
  await api.request('GET', `/activate/${token}`, { token: null });
  await activate(api, `${token}x`);
  await activate(api, token, { headers: { 'api-version': '1.9' } });
  await api.request('POST', '/api/v1/candidates/activate', { payload: `{"token":"${token}"` });
  await api.request('POST', '/activate', {
    token: null,
    payload: `token=${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(await statusOf(api, item)).toBe('active');
  const lines = api.log.slice(before);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.includes(token))).toEqual([]);
});

test('the API reference of a version lists exactly the activation paths of that version', async () => {
  const pathsOf = async (version: string): Promise<readonly string[]> =>
    Object.keys(
      ((await api.request('GET', `/openapi.json?version=${version}`)).json as { paths: object }).paths,
    ).filter((path) => /activat/.test(path));
  for (const version of BELOW)
    expect([version, await pathsOf(version)]).toEqual([
      version,
      expect.arrayContaining(['/api/v1/candidates/activate', '/api/v1/candidates/{id}/resend_activation', '/activate']),
    ]);
  for (const version of FROM) expect([version, await pathsOf(version)]).toEqual([version, []]);
});
