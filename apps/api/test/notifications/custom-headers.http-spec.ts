// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';
const PROPERTIES = { name: 'Payroll', destination_url: 'https://receiver.example.com/payroll' };
const SECRET = 'Bearer a-very-secret-value';
const HEADERS = { authorization: SECRET, 'x-tenant': 'seven' };
const SCOPES = ['notifications:read', 'notifications:create', 'notifications:write', 'notifications:delete'];
const patch = (item: Item, body: object, token?: string) =>
  api.request('PATCH', `/api/v1${below(item.url)}`, { body, ...(token !== undefined && { token }) });
const refused = async (headers: unknown): Promise<readonly string[]> => {
  const answer = await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: headers });
  expect(answer.status).toBe(422);
  return answer.violations;
};

describe('custom_headers of an endpoint', () => {
  test('are shown in items, in no list, and can be replaced, merged and removed', async () => {
    const { item } = expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: HEADERS }));
    expect(item['custom_headers']).toEqual(HEADERS);
    expect((await api.get(below(item.url))).item).toEqual(item);
    expect(expectStatus(200, await api.put(below(item.url), item)).item).toEqual(item);
    const merged = expectStatus(200, await patch(item, { custom_headers: { 'X-Tenant': null, 'X-New': 'a b' } })).item;
    expect(merged['custom_headers']).toEqual({ authorization: SECRET, 'x-new': 'a b' });
    expect(merged['updated_dt']).not.toBe(item['updated_dt']);
    for (const path of [`${ENDPOINTS}?search=/id=${item.id}`, `${ENDPOINTS}?search=/id=${item.id}&per_page=1`])
      expect(JSON.stringify(expectStatus(200, await api.get(path)).items)).not.toContain('custom_headers');
    const none = expectStatus(200, await api.put(below(item.url), PROPERTIES)).item;
    expect(none['custom_headers']).toEqual({});
    expect(expectStatus(200, await patch(item, { custom_headers: null })).item['custom_headers']).toEqual({});
    expect((await make.endpoint())['custom_headers']).toEqual({});
  });

  test('are stored encrypted, in lower case', async () => {
    const body = { ...PROPERTIES, custom_headers: { Authorization: SECRET } };
    const { item } = expectStatus(201, await api.post(ENDPOINTS, body));
    expect(item['custom_headers']).toEqual({ authorization: SECRET });
    const [row] = await api.database.query<{ sealed: Buffer; text: string }>(
      'SELECT sealed_headers AS sealed, e::text AS text FROM notification_endpoints e WHERE id = $1',
      [item.id],
    );
    for (const text of [row?.sealed.toString('latin1'), row?.text])
      for (const part of ['authorization', SECRET]) expect(text).not.toContain(part);
  });

  test('show their values to the credential that created the endpoint and to admins alone', async () => {
    const recruiter = await make.recruiter();
    const made = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
    const body = { ...PROPERTIES, custom_headers: HEADERS };
    const { item } = expectStatus(201, await api.post(ENDPOINTS, body, { token: made.token }));
    const { token } = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
    const hidden = { authorization: null, 'x-tenant': null };
    for (const other of [token, await make.token('*:read', '*:write')])
      expect((await api.get(below(item.url), { token: other })).item['custom_headers']).toEqual(hidden);
    const admin = await make.token(...SCOPES, 'notifications:admin');
    for (const reader of [made.token, admin])
      expect((await api.get(below(item.url), { token: reader })).item['custom_headers']).toEqual(HEADERS);

    const shown = expectStatus(200, await api.get(below(item.url), { token })).item;
    expect(expectStatus(200, await api.put(below(item.url), shown, { token })).item['custom_headers']).toEqual(hidden);
    expectStatus(200, await patch(item, { custom_headers: { 'x-tenant': 'eight' } }, token));
    const expected = { ...HEADERS, 'x-tenant': 'eight' };
    expect((await api.get(below(item.url), { token: made.token })).item['custom_headers']).toEqual(expected);

    const elsewhere = { destination_url: 'https://elsewhere.example.com/' };
    for (const change of [elsewhere, { destination_url: 'https://receiver.example.com/other' }])
      expect((await patch(item, change, token)).violations).toEqual([
        'missing /custom_headers/authorization',
        'missing /custom_headers/x-tenant',
      ]);
    expect((await patch(item, { custom_headers: { 'x-unknown': 'a' }, ...elsewhere }, token)).status).toBe(422);
    expectStatus(200, await patch(item, elsewhere, made.token));
    expect((await api.get(below(item.url), { token: made.token })).item['custom_headers']).toEqual(expected);
  });

  test('stay when a credential without notifications:read changes another property', async () => {
    const { token } = await make.credential({ scopes: ['notifications:create', 'notifications:write'] });
    const { item } = expectStatus(
      201,
      await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: HEADERS }, { token }),
    );
    expect(item).not.toHaveProperty('custom_headers');
    expectStatus(200, await patch(item, { name: 'Other' }, token));
    expect((await api.get(below(item.url))).item).toMatchObject({ name: 'Other', custom_headers: HEADERS });
  });

  test('make the endpoint of a subscription shared, which keeps its key and its readers', async () => {
    const { token } = await make.credential({ scopes: SCOPES });
    const { url } = await make.topic();
    const body = { destination_url: 'https://receiver.example.com/' };
    const subscription = expectStatus(201, await api.post(`${below(url)}/subscriptions`, body, { token })).item;
    const endpoint = await make.endpointOf(subscription);
    const key = subscription['signing_key'];
    const changed = expectStatus(200, await patch(endpoint, { custom_headers: HEADERS }, token)).item;
    expect(changed).toMatchObject({ custom_headers: HEADERS, signing_key: key, subscription_count: 1 });
    expect((await api.get(below(endpoint.url), { token })).item).toEqual(changed);
    expect((await api.get(below(subscription.url), { token })).item['signing_key']).toBe(key);
    expect(
      await api.database.query(
        `SELECT own_subscription_id AS own, max_in_flight AS "limit" FROM notification_endpoints e
         JOIN notification_subscriptions s ON s.endpoint_id = e.id WHERE e.id = $1`,
        [endpoint.id],
      ),
    ).toEqual([{ own: null, limit: 0 }]);
  });
});

describe('a name of custom_headers', () => {
  const FORBIDDEN = [
    ...['Host', 'Content-Type', 'content-length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Proxy-Connection'],
    ...['Proxy-Authorization', 'TE', 'Trailer', 'Upgrade', 'Expect', 'Date', 'User-Agent', 'Accept-Encoding', 'Cookie'],
    ...['Set-Cookie', 'Forwarded', 'Via', 'X-Forwarded-For', 'X-Real-IP', 'Webhook-Id', 'webhook-signature'],
    ...['X-Service-Notify-Signature', 'traceparent', 'tracestate', 'Sec-Fetch-Site', ':path'],
  ];

  test('may not be the name of a header that the service or the connection sets, in any spelling', async () => {
    for (const name of FORBIDDEN)
      for (const given of [name, name.toLowerCase(), name.toUpperCase()])
        expect([given, await refused({ [given]: 'a', 'x-fine': 'b' })]).toEqual([
          given,
          [`invalid /custom_headers/${given}`],
        ]);
    const answer = await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: { Host: 'a', 'Webhook-Id': 'b' } });
    expect(answer.problem.errors).toEqual([
      {
        resource: 'notification_endpoints',
        path: '/custom_headers/Host',
        code: 'invalid',
        info: 'this header belongs to the connection and cannot be set',
      },
      {
        resource: 'notification_endpoints',
        path: '/custom_headers/Webhook-Id',
        code: 'invalid',
        info: 'the service sets this header itself',
      },
    ]);
    const item = await make.endpoint();
    expect((await patch(item, { custom_headers: { Host: 'a' } })).violations).toEqual(['invalid /custom_headers/Host']);
  });

  test('has 1 to 64 characters of an HTTP token, and occurs only once', async () => {
    for (const name of ['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a"b', 'x'.repeat(65)])
      expect([name, await refused({ [name]: 'a' })]).toEqual([name, [`invalid /custom_headers/${name}`]]);
    expect(await refused({ 'a/b~c': 'a' })).toEqual(['invalid /custom_headers/a~1b~0c']);
    expect(await refused({ 'x-a': 'a', 'X-A': 'b' })).toEqual(['invalid /custom_headers/X-A']);
    const longest = { ['x'.repeat(64)]: 'a', "!#$%&'*+-.^_`|~": 'b' };
    const { item } = expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: longest }));
    expect(item['custom_headers']).toEqual(longest);
  });
});

describe('a value of custom_headers', () => {
  test('has visible ASCII characters, with spaces only between them', async () => {
    for (const value of [
      '',
      ' a',
      'a ',
      'a\r\nx-other: b',
      'a\nb',
      'a\0b',
      'a\tb',
      'ä',
      '\u007f',
      'x'.repeat(1025),
      7,
      {},
    ])
      expect([value, await refused({ 'x-a': value })]).toEqual([value, ['invalid /custom_headers/x-a']]);
    expect(await refused({ 'x-a': null })).toEqual(['missing /custom_headers/x-a']);
    for (const value of ['a', 'x'.repeat(1024), 'a  b ~!"'])
      expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: { 'x-a': value } }));
  });

  test('reads as it was written', async () => {
    const visible = fc.stringMatching(/^[!-~]( ?[!-~]){0,40}$/);
    const name = fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,30}$/).map((text) => `x-a${text}`);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, visible, { maxKeys: 5 }), async (headers) => {
        const { item } = expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: headers }));
        expect(item['custom_headers']).toEqual({ ...headers });
        expectStatus(204, await api.delete(below(item.url)));
      }),
      { numRuns: 20 },
    );
  });
});

test('custom_headers are at most 20, with at most 4,096 characters', async () => {
  const many = (count: number, value = 'a') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${String(index).padStart(2, '0')}`, value]));
  expect(await refused(many(21))).toEqual(['invalid /custom_headers']);
  expect(await refused(many(4, 'v'.repeat(1_021)))).toEqual(['invalid /custom_headers']);
  for (const invalid of ['a', 7, ['a'], true]) expect(await refused(invalid)).toEqual(['invalid /custom_headers']);
  for (const headers of [many(20), many(4, 'v'.repeat(1_020))])
    expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, custom_headers: headers }));
});
