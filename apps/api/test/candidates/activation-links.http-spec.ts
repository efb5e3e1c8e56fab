// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { at, BELOW, FROM, person, create, mailsOf, tokenOf, activate, statusOf } from './activations.js';

const { api, make } = useApi();

describe('POST /candidates', () => {
  test.each(BELOW)('creates a candidate in pending_activation and sends a link, in version %s', async (version) => {
    const item = await create(api, version);
    expect(item['status']).toBe('pending_activation');
    expect(await mailsOf(api, item)).toMatchObject([{ status: 'due' }]);
    expect(Object.keys(item).sort()).toEqual(Object.keys(await create(api, '1.9')).sort());
  });

  test('creates a candidate in pending_activation when the request names no version', async () => {
    const { item } = expectStatus(201, await api.post('/candidates', person()));
    expect(item['status']).toBe('pending_activation');
    expect(await mailsOf(api, item)).toHaveLength(1);
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

  test.each(FROM)('creates an active candidate and sends no link, in version %s', async (version) => {
    const item = await create(api, version);
    expect(item['status']).toBe('active');
    expect(await mailsOf(api, item)).toEqual([]);
    expect(await api.database.query('SELECT id FROM account_activations WHERE user_id = $1', [item.id])).toEqual([]);
  });

  test('sends no link when the request is rejected', async () => {
    const before = await api.database.query('SELECT id FROM outgoing_mails');
    const { email } = await create(api, '1.9');
    expectStatus(422, await api.post('/candidates', { ...person(), email }, at('1.7')));
    expect(await api.database.query('SELECT id FROM outgoing_mails')).toEqual(before);
  });

  test('sends one link for a repeated request with the same Idempotency-Key', async () => {
    const body = person();
    const options = { headers: { 'idempotency-key': 'make Ada', 'api-version': '1.7' } };
    const [first, again] = [await api.post('/candidates', body, options), await api.post('/candidates', body, options)];
    expect(again.text).toBe(first.text);
    expect(await mailsOf(api, first.item)).toHaveLength(1);
  });

  test('sends a link, but POST /applications sends none: an inline candidate is active', async () => {
    const { id } = await make.vacancy();
    const application = expectStatus(
      201,
      await api.post('/applications', { opportunity_id: id, candidate: person() }, at('1.7')),
    ).item;
    const candidate = { id: (application['candidate'] as Item).id };
    expect([await statusOf(api, candidate), await mailsOf(api, candidate)]).toEqual(['active', []]);
  });
});

describe('an unused link', () => {
  test('is replaced when the e-mail address changes, and stays valid on other changes', async () => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    const body = { ...person(), email: item['email'], title: 'Countess' };
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, body)).item).toMatchObject({
      status: 'pending_activation',
      title: 'Countess',
    });
    expect(await tokenOf(api, item)).toBe(token);
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person())).item['status']).toBe(
      'pending_activation',
    );
    expect(await mailsOf(api, item)).toMatchObject([{ status: 'cancelled', sealed_token: null }, { status: 'due' }]);
    expectStatus(422, await activate(api, token));
    expectStatus(200, await activate(api, await tokenOf(api, item)));
  });

  test.each(FROM)(
    'becomes invalid when the address changes in version %s, and no new link is sent',
    async (version) => {
      const item = await create(api);
      const token = await tokenOf(api, item);
      expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person(), at(version))).item['status']).toBe(
        'pending_activation',
      );
      expect(await mailsOf(api, item)).toMatchObject([{ status: 'cancelled' }]);
      expectStatus(422, await activate(api, token));
    },
  );

  test('is not sent to an active candidate whose address changes', async () => {
    const item = await create(api, '1.9');
    expect(expectStatus(200, await api.put(`/candidates/${item.id}`, person())).item['status']).toBe('active');
    expect(await mailsOf(api, item)).toEqual([]);
  });

  test.each([
    ['is deleted', (id: number) => api.delete(`/candidates/${id}`)],
    ['is anonymised', (id: number) => api.post(`/candidates/${id}/anonymise`)],
  ])('becomes invalid when the candidate %s', async (_, end) => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    expect((await end(item.id)).status).toBeLessThan(300);
    expect(await mailsOf(api, item)).toEqual([]);
    expectStatus(422, await activate(api, token));
  });
});

describe('POST /candidates/<id>/resend_activation', () => {
  const resend = ({ id }: { readonly id: number | string }, options: RequestOptions = at('1.7')): Promise<Answer> =>
    api.post(`/candidates/${id}/resend_activation`, undefined, options);
  const info = (status: string): string => `the status of the candidate is ${status}, not pending_activation`;

  test.each(BELOW)('sends a new link and makes the earlier link invalid, in version %s', async (version) => {
    const item = await create(api);
    const before = await tokenOf(api, item);
    const read = await api.get(`/candidates/${item.id}`, at(version));
    const answer = expectStatus(200, await resend(item, at(version)));
    expect([answer.text, answer.etag]).toEqual([read.text, read.etag]);
    expect(await mailsOf(api, item)).toMatchObject([{ status: 'cancelled', sealed_token: null }, { status: 'due' }]);
    const token = await tokenOf(api, item);
    expect(token).not.toBe(before);
    expectStatus(422, await activate(api, before));
    expect(expectStatus(200, await activate(api, token)).item['status']).toBe('active');
  });

  test('replaces an expired link, and a link whose e-mail failed', async () => {
    const [late, given] = [await create(api), await create(api)];
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
      expectStatus(200, await activate(api, await tokenOf(api, item)));
      expect(await statusOf(api, item)).toBe('active');
    }
  });

  test('requires a candidate in pending_activation', async () => {
    const [active, activated, anonymised] = [await create(api, '1.9'), await create(api), await create(api)];
    expectStatus(200, await activate(api, await tokenOf(api, activated)));
    expectStatus(200, await api.post(`/candidates/${anonymised.id}/anonymise`));
    for (const [{ id }, status] of [
      [active, 'active'],
      [activated, 'active'],
      [anonymised, 'anonymised'],
    ] as const) {
      const { problem } = expectStatus(422, await resend({ id }));
      expect(problem.errors).toEqual([{ resource: 'candidates', path: '', code: 'not_pending', info: info(status) }]);
    }
    expect(await mailsOf(api, active)).toEqual([]);
    const { problem } = await resend(active, { headers: { 'accept-language': 'fr' } });
    expect(problem.errors?.[0]?.info).toBe('le statut du candidat est active et non pending_activation');
    expect((await api.get('/schemas/candidates')).json).toMatchObject({
      'x-error-codes': { not_pending: expect.any(String) },
    });
  });

  test('sends at most two links within a minute, that of the creation included', async () => {
    const item = await create(api);
    const other = await create(api);
    expectStatus(200, await resend(item));
    const token = await tokenOf(api, item);
    const refused = expectStatus(429, await resend(item));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.json).toMatchObject({ limit: 'activation_links' });
    expectStatus(200, await resend(other));
    await api.database.query(
      `UPDATE account_activations SET created_dt = created_dt - interval '61 seconds' WHERE user_id = $1`,
      [item.id],
    );
    expectStatus(200, await resend(item));
    expectStatus(422, await activate(api, token));
  });

  test('sends one link per Idempotency-Key', async () => {
    const item = await create(api);
    const options = { headers: { 'idempotency-key': 'again Ada', 'api-version': '1.7' } };
    const [first, again] = [await resend(item, options), await resend(item, options)];
    expect([first.status, again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      200,
      200,
      first.text,
      'true',
    ]);
    expect(await mailsOf(api, item)).toHaveLength(2);
  });

  test('leaves one valid link after concurrent requests', async () => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    const [used, ...answers] = await Promise.all([
      activate(api, token),
      ...Array.from({ length: 5 }, () => resend(item)),
    ]);
    for (const { status } of answers) expect([200, 422, 429]).toContain(status);
    const waiting = (await mailsOf(api, item)).filter(({ status }) => status === 'due');
    expect([used?.status, waiting.length]).toEqual(used?.status === 200 ? [200, 0] : [422, 1]);
  });

  test('needs candidates:write and an existing candidate', async () => {
    const item = await create(api);
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

  test.each(FROM)('is an unknown path in version %s', async (version) => {
    const item = await create(api);
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS'] as const)
      expectStatus(404, await api.request(method, `/api/v1/candidates/${item.id}/resend_activation`, at(version)));
    expect(await mailsOf(api, item)).toHaveLength(1);
  });
});
