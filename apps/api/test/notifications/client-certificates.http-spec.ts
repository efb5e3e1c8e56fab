// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { Authority } from '@ats/domain/testing';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { pairOf } from '../support/certificate-pair.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const CERTIFICATES = '/client_certificates';
const ENDPOINTS = '/notification_endpoints';
const HOST = 'client.example.com';
const PAIR = pairOf(HOST);
const DAY_MS = 86_400_000;
/** One line of the private key, which no answer, log or column may contain. */
const SECRET = PAIR.private_key.split('\n')[3] ?? '';

const post = (body: object) => api.post(CERTIFICATES, { name: 'Bank', ...body });
const patch = (item: Item, body: object) => api.request('PATCH', `/api/v1${below(item.url)}`, { body });
const endpointWith = (certificate_id: unknown) =>
  api.post(ENDPOINTS, {
    name: 'Bank',
    destination_url: 'https://receiver.example.com/bank',
    authentication: { type: 'client_certificate', certificate_id },
  });

describe('a client certificate', () => {
  test('is shown with its data, and never with its private key, which is stored encrypted', async () => {
    const { item, headers } = expectStatus(201, await post(PAIR));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1${CERTIFICATES}/${item.id}`),
      name: 'Bank',
      certificate: PAIR.certificate,
      subject: `CN=${HOST}`,
      issuer: `CN=${HOST}`,
      serial_number: expect.stringMatching(/^[0-9a-f]+$/),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      valid_from_dt: expect.any(String),
      valid_to_dt: expect.any(String),
      owner: { id: expect.any(Number), url: expect.any(String) },
    });
    expect(headers['location']).toBe(item.url);
    const [listed] = (await api.get(`${CERTIFICATES}?search=/id=${item.id}`)).items;
    expect(listed).toEqual(item);
    const [row] = await api.database.query<{ sealed: Buffer; text: string }>(
      'SELECT sealed_private_key AS sealed, c::text AS text FROM client_certificates c WHERE id = $1',
      [item.id],
    );
    expect(SECRET.length).toBeGreaterThan(50);
    for (const text of [row?.sealed.toString('latin1'), row?.text, JSON.stringify([item, listed])])
      expect(text).not.toContain(SECRET);
  });

  test('expires when a certificate of its chain expires, and is found by that time', async () => {
    const authority = new Authority('Authority of the bank');
    const { cert, key } = authority.issue({ host: HOST, until: 30 });
    const { item } = expectStatus(
      201,
      await post({ certificate: `comment\n${cert}${authority.cert}`, private_key: key }),
    );
    expect(item['issuer']).toBe('CN=Authority of the bank');
    expect(Date.parse(String(item['valid_to_dt'])) - Date.now()).toBeLessThan(2 * DAY_MS);
    const soon = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const found = await api.get(`${CERTIFICATES}?search=/valid_to_dt<${soon}&search=/id=${item.id}`);
    expect(found.items).toHaveLength(1);
  });

  test('is replaced by a new pair, or by a certificate for the same key', async () => {
    const item = await make.clientCertificate();
    const renewed = pairOf('renewed.example.com');
    for (const body of [renewed, { certificate: renewed.certificate }]) {
      const written = expectStatus(200, await api.put(below(item.url), { name: 'Other', ...body })).item;
      expect(written).toMatchObject({ name: 'Other', subject: 'CN=renewed.example.com', owner: item['owner'] });
      expect(written['fingerprint']).not.toBe(item['fingerprint']);
    }
    expect(expectStatus(200, await api.put(below(item.url), (await api.get(below(item.url))).item)).status).toBe(200);
    expectStatus(200, await patch(item, { name: 'Renamed' }));
  });

  test('can get another name when it has expired', async () => {
    const item = await make.clientCertificate();
    const expired = pairOf(HOST, { from: -3, until: -2 }).certificate;
    await api.database.query('UPDATE client_certificates SET certificate = $2 WHERE id = $1', [item.id, expired]);
    expectStatus(200, await patch(item, { name: 'Renamed' }));
    expect((await patch(item, { certificate: pairOf(HOST, { from: -2, until: -1 }).certificate })).violations).toEqual([
      'invalid /certificate',
    ]);
  });

  test('must be valid now, with its own key without a password', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const locked = String(
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a password' }),
    );
    const { certificate, private_key } = PAIR;
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ certificate: 'no certificate', private_key }, ['invalid /certificate']],
      [{ certificate: private_key, private_key }, ['invalid /certificate']],
      [{ certificate: certificate.replace(/MII.{9}/, 'MIIabcabcabc'), private_key }, ['invalid /certificate']],
      [pairOf(HOST, { from: -2, until: -1 }), ['invalid /certificate']],
      [pairOf(HOST, { from: 1, until: 2 }), ['invalid /certificate']],
      [{ certificate, private_key: 'no key' }, ['invalid /private_key']],
      [{ certificate, private_key: locked }, ['invalid /private_key']],
      [{ certificate, private_key: other }, ['invalid /private_key']],
      [{ certificate }, ['missing /private_key']],
      [{ private_key }, ['missing /certificate']],
      [{ certificate: 'no', private_key: 'no' }, ['invalid /certificate', 'invalid /private_key']],
    ];
    for (const [pair, violations] of cases) {
      const answer = await post(pair);
      expect([pair, answer.status, [...answer.violations].sort()]).toEqual([pair, 422, violations]);
    }
    const item = await make.clientCertificate();
    expect((await patch(item, { private_key: other })).violations).toEqual(['invalid /private_key']);
  });

  test('cannot be deleted while endpoints use it, and the violation names them', async () => {
    const { id, url } = await make.clientCertificate();
    const endpoint = expectStatus(201, await endpointWith(id)).item;
    expect(endpoint['authentication']).toEqual({
      type: 'client_certificate',
      certificate_id: id,
      token_url: null,
      client_id: null,
      scope: null,
    });
    const refused = await api.delete(below(url));
    expect([refused.status, refused.violations]).toEqual([422, ['in_use ']]);
    expect(refused.problem.errors?.[0]).toMatchObject({
      info: `endpoints use this certificate: ${endpoint.id}`,
      existing: { id: endpoint.id, url: endpoint.url },
    });
    expectStatus(200, await patch(endpoint, { authentication: { type: 'none' } }));
    expectStatus(204, await api.delete(below(url)));
    expectStatus(404, await api.get(below(url)));
  });
});

describe('an endpoint', () => {
  test('names a certificate that exists', async () => {
    for (const [id, violation] of [
      [undefined, 'missing /authentication/certificate_id'],
      [999_999, 'missing /authentication/certificate_id'],
      ['x', 'invalid /authentication/certificate_id'],
    ] as const)
      expect([id, (await endpointWith(id)).violations]).toEqual([id, [violation]]);
  });

  test('becomes shared when it gets a certificate, and keeps the certificate when it is written back', async () => {
    const { id } = await make.clientCertificate();
    const endpoint = await make.endpointOf(await make.subscription());
    const authentication = { type: 'client_certificate', certificate_id: id };
    const item = expectStatus(200, await patch(endpoint, { authentication })).item;
    const [row] = await api.database.query<{ own: number | null }>(
      'SELECT own_subscription_id AS own FROM notification_endpoints WHERE id = $1',
      [endpoint.id],
    );
    expect(row?.own).toBeNull();
    expect(expectStatus(200, await api.put(below(item.url), item)).item['authentication']).toEqual(
      item['authentication'],
    );
    expectStatus(200, await patch(item, { name: 'Renamed' }));
  });

  test('uses and changes only certificates of its own recruiter, without notifications:admin', async () => {
    const { id, url } = await make.clientCertificate();
    const other = await make.credential({ scopes: ['notifications:write', 'notifications:read'] });
    const { id: recruiter_id } = await make.recruiter();
    await api.database.query('UPDATE client_certificates SET owner_id = $2 WHERE id = $1', [id, recruiter_id]);
    const token = String(other['token']);
    const body = { name: 'x', authentication: { type: 'client_certificate', certificate_id: id } };
    expectStatus(403, await api.post(ENDPOINTS, body, { token }));
    expectStatus(403, await api.request('PATCH', `/api/v1${below(url)}`, { body: { name: 'x' }, token }));
    expectStatus(201, await api.post(ENDPOINTS, body));
  });
});
