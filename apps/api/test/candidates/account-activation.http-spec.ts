import { describe, expect, test } from '@jest/globals';
import { CATALOGUES } from '@ats/localisation';
import { type ActivationMail, activationMailsOf, activationTokenOf } from '../support/activation-token.js';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const at = (version: string): RequestOptions => ({ headers: { 'api-version': version } });
const NO_LONGER_VALID = 'the token is not valid: it was used or withdrawn, has expired, or never existed';
const BELOW = ['1.2', '1.6', '1.7'];
const FROM = ['1.8', '1.9'];

let serial = 0;
const person = (): Readonly<Record<string, string>> => ({
  firstname: 'Ada',
  lastname: 'Byron',
  email: `ada.${++serial}@example.org`,
});
const create = async (version = '1.7'): Promise<Item> =>
  expectStatus(201, await api.post('/candidates', person(), at(version))).item;

const mailsOf = (candidate: Pick<Item, 'id'>): Promise<ActivationMail[]> => activationMailsOf(api.database, candidate);
const tokenOf = (candidate: Pick<Item, 'id'>): Promise<string> => activationTokenOf(api.database, candidate);
const activate = (token: unknown, options: RequestOptions = at('1.7')): Promise<Answer> =>
  api.post('/candidates/activate', { token }, options);
const statusOf = async ({ id }: Pick<Item, 'id'>): Promise<unknown> =>
  (await api.get(`/candidates/${id}`)).item['status'];
const historyOf = async ({ id }: Pick<Item, 'id'>): Promise<readonly Item[]> =>
  ((await api.get(`/candidates/${id}/history`)).json as { items: readonly Item[] }).items;

describe('POST /candidates', () => {
  test.each(BELOW)('makes a candidate who is to activate the account, and sends a link, in %s', async (version) => {
    const item = await create(version);
    expect(item['status']).toBe('pending_activation');
    expect(await mailsOf(item)).toMatchObject([{ status: 'due' }]);
    expect(Object.keys(item).sort()).toEqual(Object.keys(await create('1.9')).sort());
  });

  test('is started by requests without a version', async () => {
    const { item } = expectStatus(201, await api.post('/candidates', person()));
    expect(item['status']).toBe('pending_activation');
    expect(await mailsOf(item)).toHaveLength(1);
  });

  test.each([
    ['fr', 'fr'],
    [undefined, 'en'],
  ])('queues an e-mail in the language of the request: %s', async (asked, language) => {
    const headers = { 'api-version': '1.7', ...(asked && { 'accept-language': asked }) };
    const { item } = expectStatus(201, await api.post('/candidates', person(), { headers }));
    expect(await api.database.query('SELECT language FROM account_activations WHERE user_id = $1', [item.id])).toEqual([
      { language },
    ]);
  });

  test.each(FROM)('makes an active one and sends nothing in %s', async (version) => {
    const item = await create(version);
    expect(item['status']).toBe('active');
    expect(await mailsOf(item)).toEqual([]);
    expect(await api.database.query('SELECT id FROM account_activations WHERE user_id = $1', [item.id])).toEqual([]);
  });

  test('sends nothing when the request is rejected', async () => {
    const before = await api.database.query('SELECT id FROM outgoing_mails');
    const { email } = await create('1.9');
    expectStatus(422, await api.post('/candidates', { ...person(), email }, at('1.7')));
    expect(await api.database.query('SELECT id FROM outgoing_mails')).toEqual(before);
  });

  test('sends one link for a repeated request with the same Idempotency-Key', async () => {
    const body = person();
    const options = { headers: { 'idempotency-key': 'make Ada', 'api-version': '1.7' } };
    const [first, again] = [await api.post('/candidates', body, options), await api.post('/candidates', body, options)];
    expect(again.text).toBe(first.text);
    expect(await mailsOf(first.item)).toHaveLength(1);
  });

  test('does not apply to a candidate created inside an application, who is active', async () => {
    const { id } = await make.vacancy();
    const application = expectStatus(
      201,
      await api.post('/applications', { opportunity_id: id, candidate: person() }, at('1.7')),
    ).item;
    const candidate = { id: (application['candidate'] as Item).id };
    expect([await statusOf(candidate), await mailsOf(candidate)]).toEqual(['active', []]);
  });
});

describe('POST /candidates/activate', () => {
  test('makes the candidate active and records it in the history', async () => {
    const before = await create();
    const token = await tokenOf(before);
    const etag = (await api.get(`/candidates/${before.id}`)).etag;
    const answer = expectStatus(200, await activate(token));
    expect(answer.item).toEqual({ ...before, status: 'active', updated_dt: expect.any(String) });
    expect(String(answer.item['updated_dt']) > String(before['updated_dt'])).toBe(true);
    const now = await api.get(`/candidates/${before.id}`);
    expect([now.item, now.etag]).toEqual([answer.item, answer.etag]);
    expect(now.etag).not.toBe(etag);
    const [entry, created] = await historyOf(before);
    expect(entry).toMatchObject({
      type: 'field_change',
      changes: [{ path: '/status', old: 'pending_activation', new: 'active' }],
      user: { id: expect.any(Number) },
    });
    expect(created).toMatchObject({ type: 'created' });
    expect(answer.text).not.toContain(token);
  });

  test('gives the same answer to every token that is not valid', async () => {
    const [used, expired, replaced] = [await create(), await create(), await create()];
    const tokens = [await tokenOf(used), await tokenOf(expired), await tokenOf(replaced), 'A'.repeat(43)];
    expectStatus(200, await activate(tokens[0]));
    await api.database.query(
      `UPDATE account_activations SET expires_dt = now() - interval '1 second' WHERE user_id = $1`,
      [expired.id],
    );
    expectStatus(200, await api.put(`/candidates/${replaced.id}`, person()));
    for (const token of tokens) {
      const { problem } = expectStatus(422, await activate(token));
      expect(problem).toEqual({
        message: 'Validation failed',
        errors: [{ resource: 'candidates', path: '/token', code: 'invalid', info: NO_LONGER_VALID }],
        request_id: expect.any(String),
      });
    }
    expect(await statusOf(expired)).toBe('pending_activation');
  });

  test('answers in the language of the request', async () => {
    const { problem } = expectStatus(422, await activate('A'.repeat(43), { headers: { 'accept-language': 'de' } }));
    expect(problem.errors?.[0]?.info).toBe(CATALOGUES.de[NO_LONGER_VALID]);
    expect(CATALOGUES.de[NO_LONGER_VALID]).toEqual(expect.any(String));
  });

  test.each<[unknown, string[]]>([
    [undefined, ['invalid ']],
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
  ])('rejects a malformed token: %#', async (body, violations) => {
    const answer = await api.post('/candidates/activate', body, at('1.7'));
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('succeeds for one of several concurrent requests', async () => {
    const item = await create();
    const token = await tokenOf(item);
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect((await historyOf(item)).filter(({ type }) => type === 'field_change')).toHaveLength(1);
  });

  test('replays the first answer for the same Idempotency-Key', async () => {
    const token = await tokenOf(await create());
    const options = { headers: { 'idempotency-key': 'activate Ada', 'api-version': '1.7' } };
    const [first, again] = [await activate(token, options), await activate(token, options)];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('needs candidates:write', async () => {
    const token = await tokenOf(await create());
    const reader = await make.credential({ scopes: ['candidates:read'] });
    const writer = await make.credential({ scopes: ['candidates:write'] });
    expectStatus(401, await activate(token, { token: null }));
    expect(expectStatus(403, await activate(token, { token: String(reader['token']) })).problem.message).toContain(
      'candidates:write',
    );
    expectStatus(200, await activate(token, { token: String(writer['token']) }));
  });

  test.each(FROM)('is 404 in %s', async (version) => {
    const token = await tokenOf(await create());
    expectStatus(404, await activate(token, at(version)));
    expectStatus(200, await activate(token));
  });

  test.each(FROM)('is an unknown path in %s, with any method and credential', async (version) => {
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

  test('is the only verb of its path', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, headers } = await api.request(method, '/api/v1/candidates/activate', at('1.7'));
      expect([method, status, headers['allow']]).toEqual([method, 405, 'OPTIONS, POST']);
    }
  });
});

describe('an unused link', () => {
  test('is replaced when the e-mail address changes, and stays on other changes', async () => {
    const item = await create();
    const token = await tokenOf(item);
    const body = { ...person(), email: item['email'], title: 'Countess' };
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, body)).item).toMatchObject({
      status: 'pending_activation',
      title: 'Countess',
    });
    expect(await tokenOf(item)).toBe(token);
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person())).item['status']).toBe(
      'pending_activation',
    );
    expect(await mailsOf(item)).toMatchObject([{ status: 'cancelled', sealed_token: null }, { status: 'due' }]);
    expectStatus(422, await activate(token));
    expectStatus(200, await activate(await tokenOf(item)));
  });

  test.each(FROM)('is taken back when the address changes in %s, and none is sent', async (version) => {
    const item = await create();
    const token = await tokenOf(item);
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person(), at(version))).item['status']).toBe(
      'pending_activation',
    );
    expect(await mailsOf(item)).toMatchObject([{ status: 'cancelled' }]);
    expectStatus(422, await activate(token));
  });

  test('is not sent to an active candidate whose address changes', async () => {
    const item = await create('1.9');
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person())).item['status']).toBe('active');
    expect(await mailsOf(item)).toEqual([]);
  });

  test.each([
    ['is deleted', (id: number) => api.delete(`/candidates/${id}`)],
    ['is anonymised', (id: number) => api.post(`/candidates/${id}/anonymise`)],
  ])('becomes invalid when the candidate %s', async (_, end) => {
    const item = await create();
    const token = await tokenOf(item);
    expect((await end(item.id)).status).toBeLessThan(300);
    expect(await mailsOf(item)).toEqual([]);
    expectStatus(422, await activate(token));
  });
});

describe('POST /candidates/<id>/resend_activation', () => {
  const resend = ({ id }: { readonly id: number | string }, options: RequestOptions = at('1.7')): Promise<Answer> =>
    api.post(`/candidates/${id}/resend_activation`, undefined, options);
  const info = (status: string): string => `the status of the candidate is ${status}, not pending_activation`;

  test.each(BELOW)('sends another link, and the one before works no longer, in %s', async (version) => {
    const item = await create();
    const before = await tokenOf(item);
    const read = await api.get(`/candidates/${item.id}`, at(version));
    const answer = expectStatus(200, await resend(item, at(version)));
    expect([answer.text, answer.etag]).toEqual([read.text, read.etag]);
    expect(await mailsOf(item)).toMatchObject([{ status: 'cancelled', sealed_token: null }, { status: 'due' }]);
    const token = await tokenOf(item);
    expect(token).not.toBe(before);
    expectStatus(422, await activate(before));
    expect(expectStatus(200, await activate(token)).item['status']).toBe('active');
  });

  test('is sent for an expired link and for a failed e-mail', async () => {
    const [late, given] = [await create(), await create()];
    await api.database.query(
      `UPDATE account_activations SET expires_dt = now() - interval '1 second' WHERE user_id = $1`,
      [late.id],
    );
    await api.database.query(
      `UPDATE outgoing_mails m SET status = 'failed', sealed_token = NULL, last_error = 'smtp_550', finished_dt = now() FROM account_activations a WHERE a.id = m.activation_id AND a.user_id = $1`,
      [given.id],
    );
    for (const item of [late, given]) {
      expectStatus(200, await resend(item));
      expectStatus(200, await activate(await tokenOf(item)));
      expect(await statusOf(item)).toBe('active');
    }
  });

  test('requires a candidate in pending_activation', async () => {
    const [active, activated, anonymised] = [await create('1.9'), await create(), await create()];
    expectStatus(200, await activate(await tokenOf(activated)));
    expectStatus(200, await api.post(`/candidates/${anonymised.id}/anonymise`));
    for (const [{ id }, status] of [
      [active, 'active'],
      [activated, 'active'],
      [anonymised, 'anonymised'],
    ] as const) {
      const { problem } = expectStatus(422, await resend({ id }));
      expect(problem.errors).toEqual([{ resource: 'candidates', path: '', code: 'not_pending', info: info(status) }]);
    }
    expect(await mailsOf(active)).toEqual([]);
    const { problem } = await resend(active, { headers: { 'accept-language': 'fr' } });
    expect(problem.errors?.[0]?.info).toBe('le statut du candidat est active et non pending_activation');
    expect((await api.get('/schemas/candidates')).json).toMatchObject({
      'x-error-codes': { not_pending: expect.any(String) },
    });
  });

  test('sends one link per Idempotency-Key', async () => {
    const item = await create();
    const options = { headers: { 'idempotency-key': 'again Ada', 'api-version': '1.7' } };
    const [first, again] = [await resend(item, options), await resend(item, options)];
    expect([first.status, again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      200,
      200,
      first.text,
      'true',
    ]);
    expect(await mailsOf(item)).toHaveLength(2);
  });

  test('leaves one valid link after concurrent requests', async () => {
    const item = await create();
    const token = await tokenOf(item);
    const [used, ...answers] = await Promise.all([activate(token), ...Array.from({ length: 5 }, () => resend(item))]);
    for (const { status } of answers) expect([200, 422]).toContain(status);
    const waiting = (await mailsOf(item)).filter(({ status }) => status === 'due');
    expect([used?.status, waiting.length]).toEqual(used?.status === 200 ? [200, 0] : [422, 1]);
  });

  test('needs candidates:write and an existing candidate', async () => {
    const item = await create();
    expectStatus(401, await resend(item, { token: null }));
    expect(
      expectStatus(403, await resend(item, { token: await make.token('candidates:read') })).problem.message,
    ).toContain('candidates:write');
    expectStatus(200, await resend(item, { token: await make.token('candidates:write') }));
    for (const id of ['987654321', '0', 'x', '%00', '9'.repeat(400)]) expectStatus(404, await resend({ id }));
    expect(
      (await api.request('GET', `/api/v1/candidates/${item.id}/resend_activation`, at('1.7'))).headers['allow'],
    ).toBe('OPTIONS, POST');
  });

  test.each(FROM)('is no path in %s', async (version) => {
    const item = await create();
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS'] as const)
      expectStatus(404, await api.request(method, `/api/v1/candidates/${item.id}/resend_activation`, at(version)));
    expect(await mailsOf(item)).toHaveLength(1);
  });
});

describe('the activation page', () => {
  const show = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.request('GET', `/activate?token=${encodeURIComponent(token)}`, { token: null, headers });
  const press = (form: string, options: RequestOptions = {}): Promise<Answer> =>
    api.request('POST', '/activate', {
      token: null,
      payload: form,
      ...options,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    });
  const TITLE = 'Activate your account';
  const titleOf = ({ text }: Answer): string | undefined => /<h1>(.*)<\/h1>/.exec(text)?.[1];

  test('shows a button and changes nothing on GET', async () => {
    const item = await create();
    const token = await tokenOf(item);
    for (let reading = 1; reading <= 3; reading++) {
      const answer = expectStatus(200, await show(token));
      expect(titleOf(answer)).toBe('Activate your account');
      expect(answer.text).toContain(
        `<form method="post" action="activate"><input type="hidden" name="token" value="${token}"><button>`,
      );
    }
    expectStatus(200, await api.request('HEAD', `/activate?token=${token}`, { token: null }));
    expect(await statusOf(item)).toBe('pending_activation');
  });

  test('activates once with its button, with the candidate as user in the history', async () => {
    const item = await create();
    const token = await tokenOf(item);
    expect(titleOf(expectStatus(200, await press(`token=${token}`)))).toBe('Your account is active');
    expect(await statusOf(item)).toBe('active');
    expect((await historyOf(item))[0]).toMatchObject({
      type: 'field_change',
      user: null,
      changes: [{ path: '/status', new: 'active' }],
    });
    const again = expectStatus(200, await press(`token=${token}`));
    expect(titleOf(again)).toBe('This link is no longer valid');
    expect(again.text).not.toContain(token);
  });

  test('forbids scripts, frames, referrers and caching', async () => {
    for (const { headers } of [await show(await tokenOf(await create())), await press('token=x')]) {
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-language': 'en',
        vary: 'Api-Version, Accept-Language',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
    }
  });

  test.each([
    ['de', 'de', 'ltr'],
    ['fr-CA, en;q=0.5', 'fr', 'ltr'],
    ['es', 'es', 'ltr'],
    ['ar-EG', 'ar', 'rtl'],
    ['nl', 'en', 'ltr'],
    ['x'.repeat(8_000), 'en', 'ltr'],
  ] as const)('is in the language of its reader: %#', async (accepted, language, direction) => {
    const answer = expectStatus(200, await show('A'.repeat(43), { 'accept-language': accepted }));
    expect(answer.text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect([titleOf(answer), answer.headers['content-language']]).toEqual([
      CATALOGUES[language][TITLE] ?? TITLE,
      language,
    ]);
  });

  test.each(['', 'A'.repeat(42), `${'A'.repeat(42)}"><script>`, '\u0000', 'A'.repeat(10_000)])(
    'shows no button for a malformed token: %#',
    async (token) => {
      const answer = expectStatus(200, await show(token));
      expect([titleOf(answer), answer.text.includes('<form'), answer.text.includes('<script')]).toEqual([
        'This link is no longer valid',
        false,
        false,
      ]);
    },
  );

  test.each(['/activate', '/activate?token=a&token=b', '/activate?token[a]=b'])('shows none at %s', async (path) => {
    expect(titleOf(expectStatus(200, await api.request('GET', path, { token: null })))).toBe(
      'This link is no longer valid',
    );
  });

  test.each([
    '',
    'token',
    'token=%00',
    'token=%ff',
    'token[]=x',
    'token=a&token=b',
    '__proto__=x',
    'a=b',
    `token=${'A'.repeat(43)}&more=1`,
    '&&==%',
  ])('activates no candidate with %s', async (form) => {
    expect(titleOf(expectStatus(200, await press(form)))).toBe('This link is no longer valid');
  });

  test('accepts form bodies only, and no other path does', async () => {
    expect(titleOf(expectStatus(200, await press(`token=${'A'.repeat(100_000)}`)))).toBe(
      'This link is no longer valid',
    );
    expectStatus(413, await press(`token=${'A'.repeat(2_000_000)}`));
    expectStatus(415, await press('token=x', { headers: { 'content-type': 'text/plain' } }));
    const { status } = await api.request('POST', '/api/v1/candidates', {
      payload: 'firstname=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(415);
    const { status: again } = await api.request('POST', '/api/v1/candidates/activate', {
      payload: 'token=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(again).toBe(415);
  });

  test('has no other verb', async () => {
    for (const method of ['PUT', 'DELETE'] as const)
      expect([method, (await api.request(method, '/activate', { token: null })).status]).toEqual([method, 405]);
  });
});

test('no log line holds a token', async () => {
  const item = await create();
  const token = await tokenOf(item);
  const before = api.log.length;
  await api.request('GET', `/activate?token=${token}`, { token: null });
  await api.request('GET', `/activate/${token}`, { token: null });
  await activate(`${token}x`);
  await activate(token, { headers: { 'api-version': '1.9' } });
  await api.request('POST', '/api/v1/candidates/activate', { payload: `{"token":"${token}"` });
  await api.request('POST', '/activate', {
    token: null,
    payload: `token=${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(await statusOf(item)).toBe('active');
  const lines = api.log.slice(before);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.includes(token))).toEqual([]);
});

test('the reference lists no error answer of the page', async () => {
  const { paths } = (await api.request('GET', '/openapi.json')).json as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: object } }>>;
  };
  expect(Object.keys(paths['/activate']?.get?.responses ?? {})).toEqual(['200']);
  expectStatus(200, await api.request('GET', '/activate?utm_source=mail&token=x', { token: null }));
});

test('the reference of a version lists the activation paths it has', async () => {
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
