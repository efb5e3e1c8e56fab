import { beforeEach, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { accessTokenOf, type Client, newClient } from './token-requests.js';

const { api, make } = useApi();

let client: Client;

beforeEach(async () => {
  client = await newClient(make, ['credentials:write', 'notifications:write', 'applications:read']);
});

test('an access token makes credentials that expire no later than the access token', async () => {
  const token = await accessTokenOf(api, client, 'credentials:write');
  const body = { name: 'Child', scopes: ['credentials:write'] };
  const { item: child } = expectStatus(201, await api.post('/credentials', body, { token }));
  const { item: own } = expectStatus(200, await api.get('/me', { token }));
  const { item: made } = expectStatus(200, await api.get('/me', { token: String(child['token']) }));
  expect(own['expires_dt']).toEqual(expect.any(String));
  expect(made['expires_dt']).toBe(own['expires_dt']);
  const later = new Date(Date.parse(String(own['expires_dt'])) + 1_000).toISOString();
  const refused = await api.post('/credentials', { ...body, expires_dt: later }, { token });
  expect(expectStatus(422, refused).json).toMatchObject({ errors: [{ path: '/expires_dt', code: 'invalid' }] });
  const lasting = await api.post('/credentials', body, { token: client.token });
  expect(expectStatus(201, lasting).status).toBe(201);
});

test('an access token with fewer scopes cannot revoke its credential', async () => {
  const path = `/credentials/${client.id}`;
  expectStatus(403, await api.delete(path, { token: await accessTokenOf(api, client, 'credentials:delete') }));
  expectStatus(200, await api.get('/me', { token: client.token }));
  expectStatus(204, await api.delete(path, { token: await accessTokenOf(api, client) }));
});

test('an access token gets no stored answer of its credential, or of an access token with other scopes', async () => {
  const preview = (token: string, key: string) =>
    api.post(
      '/notification_topics/preview',
      { type: 'STATE_CHANGE_APPLICATION', limit: 1 },
      { token, headers: { 'idempotency-key': key } },
    );
  const full = await accessTokenOf(api, client);
  const narrow = await accessTokenOf(api, client, 'notifications:write');
  for (const [index, token] of [client.token, full].entries()) {
    expectStatus(200, await preview(token, `preview-${index}`));
    const refused = expectStatus(422, await preview(narrow, `preview-${index}`)).json;
    expect(refused).toMatchObject({ errors: [{ code: 'idempotency_mismatch' }] });
  }
  const again = await preview(await accessTokenOf(api, client), 'preview-1');
  expect(expectStatus(200, again).headers['idempotency-replayed']).toBe('true');
});
