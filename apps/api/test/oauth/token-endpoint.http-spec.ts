import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';
import { type Client, newClient, requestToken } from './token-requests.js';

const { api, make } = useApi();

const ask = (parameters: Readonly<Record<string, string>> | string, options: RequestOptions = {}): Promise<Answer> =>
  requestToken(api, parameters, options);
const basic = ({ key_id, token }: Client): RequestOptions => ({
  headers: { authorization: `Basic ${Buffer.from(`${key_id}:${token}`).toString('base64')}` },
});
const posted = ({ key_id, token }: Client) => ({ client_id: key_id, client_secret: token });
const GRANT = { grant_type: 'client_credentials' };

describe('POST /oauth/token', () => {
  test('gives a bearer token with the scopes of the credential', async () => {
    const client = await newClient(make, ['vacancies:read', 'layouts:write']);
    const answer = await ask(GRANT, basic(client));
    expect([answer.status, answer.headers['cache-control'], answer.headers['pragma']]).toEqual([
      200,
      'no-store',
      'no-cache',
    ]);
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'vacancies:read layouts:write',
    });
    const { access_token: token, expires_in: seconds } = answer.json as { access_token: string; expires_in: number };
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect((await api.get('/vacancies', { token })).status).toBe(200);
    expect((await api.get('/candidates', { token })).status).toBe(403);
  });

  test('accepts client_id and client_secret in the body or encoded in Basic, and fewer scopes', async () => {
    const client = await newClient(make, ['*:read', 'applications:write']);
    expect(
      (await ask({ ...GRANT, ...posted(client), scope: 'candidates:read applications:create' })).json,
    ).toMatchObject({
      scope: 'candidates:read applications:create',
    });
    const encoded = { ...client, token: client.token.replaceAll('_', '%5F').replaceAll('-', '%2D') };
    expect((await ask({ ...GRANT, scope: '' }, basic(encoded))).json).toMatchObject({
      scope: '*:read applications:write',
    });
  });

  test('gives a token that does not outlive the credential', async () => {
    const client = await newClient(make, ['layouts:read'], { expires_dt: new Date(Date.now() + 60_000).toISOString() });
    const { expires_in: seconds } = (await ask(GRANT, basic(client))).json as { expires_in: number };
    expect(seconds).toBeLessThanOrEqual(60);
  });

  test('reports each error as RFC 6749 5.2 defines it', async () => {
    const client = await newClient(make, ['vacancies:read']);
    const other = await newClient(make, ['vacancies:read']);
    const { access_token: accessToken } = (await ask(GRANT, basic(client))).json as { access_token: string };
    const valid = basic(client);
    const form = new URLSearchParams({ ...GRANT, ...posted(client) }).toString();
    const cases: readonly (readonly [number, string, Promise<Answer>])[] = [
      [400, 'invalid_request', ask({ scope: 'vacancies:read' }, valid)],
      [400, 'invalid_request', ask('', valid)],
      [400, 'invalid_request', ask(`${form}&scope=vacancies:read&scope=vacancies:read`)],
      [400, 'invalid_request', ask(`${form}&grant_type=client_credentials`)],
      [400, 'invalid_request', ask({ ...GRANT, ...posted(client) }, valid)],
      [400, 'invalid_request', ask({ ...GRANT, client_id: client.key_id }, valid)],
      [400, 'unsupported_grant_type', ask({ grant_type: 'password' }, valid)],
      [400, 'unsupported_grant_type', ask({ grant_type: 'refresh_token', refresh_token: 'x' }, valid)],
      [400, 'unsupported_grant_type', ask({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }, valid)],
      [400, 'invalid_scope', ask({ ...GRANT, scope: 'vacancies:write' }, valid)],
      [400, 'invalid_scope', ask({ ...GRANT, scope: 'vacancies:read candidates:read' }, valid)],
      [400, 'invalid_scope', ask({ ...GRANT, scope: 'vacancies:fly' }, valid)],
      [400, 'invalid_scope', ask({ ...GRANT, scope: '*:read' }, valid)],
      [400, 'invalid_scope', ask({ ...GRANT, scope: '"' }, valid)],
      [401, 'invalid_client', ask(GRANT)],
      [401, 'invalid_client', ask({ ...GRANT, client_id: client.key_id })],
      [401, 'invalid_client', ask(GRANT, basic({ ...client, token: other.token }))],
      [401, 'invalid_client', ask({ ...GRANT, ...posted({ ...client, key_id: other.key_id }) })],
      [401, 'invalid_client', ask(GRANT, basic({ ...client, token: `${client.token.slice(0, -4)}AAAA` }))],
      [401, 'invalid_client', ask(GRANT, basic({ ...client, token: accessToken }))],
      [401, 'invalid_client', ask({ ...GRANT, ...posted({ ...client, token: accessToken }) })],
      [401, 'invalid_client', ask(GRANT, basic({ ...client, token: '%E0%A4%A' }))],
      [401, 'invalid_client', ask(GRANT, { token: client.token })],
      [401, 'invalid_client', ask(GRANT, { token: accessToken })],
      [401, 'invalid_client', ask({ grant_type: 'password' })],
      [
        415,
        'invalid_request',
        ask('{}', { ...valid, headers: { ...valid.headers, 'content-type': 'application/json' } }),
      ],
      [403, 'invalid_request', ask(GRANT, { headers: { ...valid.headers, origin: 'https://evil.example' } })],
    ];
    for (const [index, [status, error, answer]] of cases.entries()) {
      const { headers, json, status: found } = await answer;
      expect([index, found, json]).toMatchObject([index, status, { error, message: expect.any(String) }]);
      expect((json as { error_description: string }).error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['www-authenticate']).toBe(
        status === 401 ? 'Bearer realm="api", Basic realm="api", charset="UTF-8"' : undefined,
      );
    }
  });

  test('describes errors in ASCII for clients of any language', async () => {
    const answer = await ask(GRANT, { headers: { 'accept-language': 'ar' } });
    expect(answer.json).toMatchObject({
      error_description: 'The credentials are missing or invalid',
      message: expect.not.stringContaining('credentials'),
    });
  });

  test('offers no Basic challenge to a browser', async () => {
    const { headers } = await ask(GRANT, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(headers['www-authenticate']).toBe('Bearer realm="api"');
  });

  test('keeps tokens out of the log', async () => {
    const client = await newClient(make, ['vacancies:read']);
    const { access_token: token } = (await ask({ ...GRANT, ...posted(client) })).json as { access_token: string };
    await api.get('/vacancies', { token });
    await ask({ ...GRANT, ...posted(client), scope: 'x' });
    const log = api.log.join('\n');
    expect(log).toContain('/oauth/token');
    for (const secret of [client.token.slice(-43), token, token.split('.')[2] ?? '']) expect(log).not.toContain(secret);
  });

  test('is served by POST only', async () => {
    expect((await api.request('GET', '/oauth/token')).status).toBe(405);
  });
});
