import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';
const PROPERTIES = { name: 'Payroll', destination_url: 'https://receiver.example.com/payroll' };
const SECRET = 'a very secret value';
const SHOWN = {
  type: 'oauth2_client_credentials',
  token_url: 'https://id.example.com/token',
  client_id: 'ats',
  scope: 'hooks:write hooks:read',
  certificate_id: null,
};
const OAUTH = { ...SHOWN, client_secret: SECRET };
const NONE = { type: 'none', token_url: null, client_id: null, scope: null, certificate_id: null };
const patch = (item: Item, body: object) => api.request('PATCH', `/api/v1${below(item.url)}`, { body });
const made = async (more: object = {}): Promise<Item> =>
  expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, authentication: OAUTH, ...more })).item;
const violationsOf = async (authentication: unknown, more: object = {}): Promise<readonly string[]> => {
  const answer = await api.post(ENDPOINTS, { ...PROPERTIES, ...more, authentication });
  expect(answer.status).toBe(422);
  return [...answer.violations].sort();
};
const MISSING_SECRET = ['missing /authentication/client_secret'];

describe('the authentication of an endpoint', () => {
  test('is shown in items without the secret, which is stored encrypted', async () => {
    const item = await made();
    expect(item['authentication']).toEqual(SHOWN);
    const answers = [item, (await api.get(below(item.url))).item, (await api.get(ENDPOINTS)).items];
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    const [row] = await api.database.query<{ sealed: Buffer; text: string }>(
      'SELECT sealed_authentication AS sealed, e::text AS text FROM notification_endpoints e WHERE id = $1',
      [item.id],
    );
    for (const text of [row?.sealed.toString('latin1'), row?.text])
      for (const part of [SECRET, 'id.example.com']) expect(text).not.toContain(part);
    expect((await make.endpoint())['authentication']).toEqual(NONE);
  });

  test('keeps the client secret when an update changes neither the client id, the token URL nor the destination', async () => {
    const item = await made();
    expect(expectStatus(200, await api.put(below(item.url), item)).item).toEqual(item);
    expectStatus(200, await patch(item, { name: 'Other' }));
    const { scope: _, ...unscoped } = SHOWN;
    expect(expectStatus(200, await patch(item, { authentication: { scope: null } })).item['authentication']).toEqual({
      ...unscoped,
      scope: null,
    });
    for (const change of [
      { authentication: { token_url: 'https://other.example.com/token' } },
      { authentication: { client_id: 'other' } },
      { destination_url: 'https://elsewhere.example.com/' },
      { destination_url: 'https://elsewhere.example.com/other' },
    ]) {
      expect([change, (await patch(item, change)).violations]).toEqual([change, MISSING_SECRET]);
      const authentication = { ...change.authentication, client_secret: SECRET };
      expectStatus(200, await patch(item, { ...change, authentication }));
    }
  });

  test('is removed by the type none, by null and by a PUT without it', async () => {
    for (const authentication of [{ type: 'none' }, null]) {
      const item = expectStatus(200, await patch(await made(), { authentication })).item;
      expect(item['authentication']).toEqual(NONE);
      expect((await patch(item, { authentication: SHOWN })).violations).toEqual(MISSING_SECRET);
    }
    expect((await api.put(below((await made()).url), PROPERTIES)).item['authentication']).toEqual(NONE);
  });

  test('makes an endpoint of a single subscription a shared endpoint', async () => {
    const subscription = await make.subscription();
    const endpoint = await make.endpointOf(subscription);
    expectStatus(200, await patch(endpoint, { authentication: OAUTH }));
    expect(
      await api.database.query(
        `SELECT own_subscription_id AS own, max_in_flight AS "limit" FROM notification_endpoints e
         JOIN notification_subscriptions s ON s.endpoint_id = e.id WHERE e.id = $1`,
        [endpoint.id],
      ),
    ).toEqual([{ own: null, limit: 0 }]);
  });

  test('is refused with all violations', async () => {
    expect(await violationsOf({ type: 'oauth2_client_credentials' })).toEqual([
      'missing /authentication/client_id',
      'missing /authentication/token_url',
    ]);
    expect(await violationsOf({ type: 'basic' })).toEqual(['invalid /authentication/type']);
    expect(await violationsOf({})).toEqual(['missing /authentication/type']);
    expect(await violationsOf(SHOWN)).toEqual(MISSING_SECRET);
    expect(await violationsOf({ ...OAUTH, client_id: 'ä', scope: 'a  b', unknown: 1 })).toEqual([
      'invalid /authentication/client_id',
      'invalid /authentication/scope',
      'invalid /authentication/unknown',
    ]);
    for (const client_secret of ['a\nb', 'ä', 'x'.repeat(1_025)])
      expect(await violationsOf({ ...OAUTH, client_secret })).toEqual(['invalid /authentication/client_secret']);
  });

  test('names a token endpoint that the service may call', async () => {
    const invalid = [
      'http://id.example.com/',
      'https://10.0.0.1/token',
      'https://[::1]/',
      'ftp://example.com/',
      'token',
    ];
    for (const token_url of [...invalid, 'https://user:secret@id.example.com/'])
      expect([token_url, await violationsOf({ ...OAUTH, token_url })]).toEqual([
        token_url,
        ['invalid /authentication/token_url'],
      ]);
    const both = { ...OAUTH, token_url: 'https://127.0.0.1/' };
    expect(await violationsOf(both, { destination_url: 'https://127.0.0.1/' })).toEqual([
      'invalid /authentication/token_url',
      'invalid /destination_url',
    ]);
    const item = await made();
    const authentication = { token_url: 'https://127.0.0.1/', client_secret: SECRET };
    expect((await patch(item, { authentication })).violations).toEqual(['invalid /authentication/token_url']);
  });

  test('cannot be combined with a custom header authorization', async () => {
    expect(await violationsOf(OAUTH, { custom_headers: { Authorization: 'a' } })).toEqual([
      'invalid /custom_headers/Authorization',
    ]);
    const item = await made({ custom_headers: { 'x-a': 'b' } });
    expect((await patch(item, { custom_headers: { authorization: 'a' } })).violations).toEqual([
      'invalid /custom_headers/authorization',
    ]);
  });
});
