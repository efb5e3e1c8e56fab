import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { Authority, type Certificate } from '@ats/domain/testing';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';
const PROPERTIES = { name: 'Bank', destination_url: 'https://receiver.example.com/bank' };
const authority = new Authority('Authority of the bank');
const DAY_MS = 86_400_000;

const issued = (more: object = {}): Certificate => authority.issue({ host: 'client.example.com', until: 30, ...more });
const bodyOf = ({ cert, key }: Certificate) => ({ certificate: cert, private_key: key });
const PAIR = issued();
/** One line of the key, which no answer, log or column may have. */
const SECRET = PAIR.key.split('\n')[3] ?? '';
const canonical = (pem: string): string => pem.replaceAll('\r\n', '\n');

const patch = (item: Item, body: object) => api.request('PATCH', `/api/v1${below(item.url)}`, { body });
const made = async (more: object = {}): Promise<Item> =>
  expectStatus(201, await api.post(ENDPOINTS, { ...PROPERTIES, client_certificate: bodyOf(PAIR), ...more })).item;
const violationsOf = async (client_certificate: unknown): Promise<readonly string[]> => {
  const answer = await api.post(ENDPOINTS, { ...PROPERTIES, client_certificate });
  expect(answer.status).toBe(422);
  return [...answer.violations].sort();
};
const expiryOf = (item: Item): unknown => (item['health'] as Item)['client_certificate_expires_dt'];
const MISSING_KEY = ['missing /client_certificate/private_key'];
const INVALID_CERTIFICATE = ['invalid /client_certificate/certificate'];
const INVALID_KEY = ['invalid /client_certificate/private_key'];

describe('the client certificate of an endpoint', () => {
  test('is shown in items without the key, which is stored encrypted', async () => {
    const item = await made();
    expect(item['client_certificate']).toEqual({ certificate: canonical(PAIR.cert) });
    const [listed] = (await api.get(`${ENDPOINTS}?search=/id=${item.id}`)).items;
    expect(listed).not.toHaveProperty('client_certificate');
    const [row] = await api.database.query<{ sealed: Buffer; text: string }>(
      'SELECT sealed_client_certificate AS sealed, e::text AS text FROM notification_endpoints e WHERE id = $1',
      [item.id],
    );
    expect(SECRET.length).toBeGreaterThan(50);
    for (const text of [row?.sealed.toString('latin1'), row?.text, JSON.stringify([item, listed])])
      expect(text).not.toContain(SECRET);
    expect((await make.endpoint())['client_certificate']).toBeNull();
  });

  test('shows in `health` when the first of its certificates expires, also in lists', async () => {
    const chain = { ...PAIR, cert: `comment\n${PAIR.cert}${authority.cert}` };
    const item = await made({ client_certificate: bodyOf(chain) });
    const [listed] = (await api.get(`${ENDPOINTS}?search=/id=${item.id}`)).items;
    for (const shown of [expectStatus(200, await api.get(below(item.url))).item, listed])
      expect(Date.parse(String(shown && expiryOf(shown))) - Date.now()).toBeLessThan(2 * DAY_MS);
    expect(expiryOf(await make.endpoint())).toBeNull();
    const changed = expectStatus(200, await patch(item, { client_certificate: bodyOf(PAIR) })).item;
    expect(Date.parse(String(expiryOf(changed))) - Date.now()).toBeGreaterThan(20 * DAY_MS);
  });

  test('keeps the key while the certificate and the destination stay', async () => {
    const item = await made();
    const written = expectStatus(200, await api.put(below(item.url), item)).item;
    expect(written['client_certificate']).toEqual(item['client_certificate']);
    expectStatus(200, await patch(item, { name: 'Other' }));
    for (const change of [
      { client_certificate: { certificate: issued().cert } },
      { destination_url: 'https://elsewhere.example.com/' },
      { destination_url: 'https://receiver.example.com/other' },
    ])
      expect([change, (await patch(item, change)).violations]).toEqual([change, MISSING_KEY]);
    const pair = bodyOf(issued());
    const rotated = expectStatus(200, await patch(item, { client_certificate: pair })).item;
    expect(rotated['client_certificate']).toEqual({ certificate: canonical(pair.certificate) });
  });

  test('can expire without blocking other changes of the endpoint', async () => {
    const item = await made();
    const expired = canonical(issued({ from: -3, until: -2 }).cert);
    const boxed = await api.database.query<{ count: number }>(
      `UPDATE notification_endpoints SET client_certificate_expires_dt = now() - interval '2 days' WHERE id = $1
       RETURNING 1`,
      [item.id],
    );
    expect([boxed.length, expired.length > 0]).toEqual([1, true]);
    expectStatus(200, await patch(item, { name: 'Renamed' }));
  });

  test('is removed by null and by a PUT without it', async () => {
    const item = expectStatus(200, await patch(await made(), { client_certificate: null })).item;
    expect([item['client_certificate'], expiryOf(item)]).toEqual([null, null]);
    expect((await patch(item, { client_certificate: { certificate: PAIR.cert } })).violations).toEqual(MISSING_KEY);
    expect((await api.put(below((await made()).url), PROPERTIES)).item['client_certificate']).toBeNull();
  });

  test('must be a certificate that is valid now, with its own key without a password', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const locked = String(
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a password' }),
    );
    const { certificate, private_key } = bodyOf(PAIR);
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ certificate: 'no certificate', private_key }, INVALID_CERTIFICATE],
      [{ certificate: private_key, private_key }, INVALID_CERTIFICATE],
      [{ certificate: certificate.replace(/MII.{9}/, 'MIIabcabcabc'), private_key }, INVALID_CERTIFICATE],
      [{ certificate: certificate.repeat(11), private_key }, INVALID_CERTIFICATE],
      [bodyOf(issued({ from: -2, until: -1 })), INVALID_CERTIFICATE],
      [bodyOf(issued({ from: 1, until: 2 })), INVALID_CERTIFICATE],
      [{ certificate, private_key: 'no key' }, INVALID_KEY],
      [{ certificate, private_key: locked }, INVALID_KEY],
      [{ certificate, private_key: other }, INVALID_KEY],
      [{ certificate }, MISSING_KEY],
    ];
    for (const [pair, violations] of cases) expect([pair, await violationsOf(pair)]).toEqual([pair, violations]);
    expect(await violationsOf({ private_key })).toEqual(['missing /client_certificate/certificate']);
    expect(await violationsOf({ certificate: 'no', private_key: 'no' })).toEqual([
      ...INVALID_CERTIFICATE,
      ...INVALID_KEY,
    ]);
  });

  test('turns the own endpoint of a subscription into a shared one', async () => {
    const endpoint = await make.endpointOf(await make.subscription());
    expectStatus(200, await patch(endpoint, { client_certificate: bodyOf(PAIR) }));
    expect(
      await api.database.query('SELECT own_subscription_id AS own FROM notification_endpoints WHERE id = $1', [
        endpoint.id,
      ]),
    ).toEqual([{ own: null }]);
  });
});
