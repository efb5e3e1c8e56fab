// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { NO_HEALTH } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';
const PROPERTIES = { name: 'Payroll', destination_url: 'https://receiver.example.com/payroll' };
const KEY = expect.stringMatching(/^[0-9a-f]{64}$/);
const HIDDEN = { signing_key: null, standard_webhooks_secret: null, next_signing_key: null, next_key_from_dt: null };
const SCOPES = ['notifications:read', 'notifications:write'];
const patch = (item: Item, body: object, token?: string) =>
  api.request('PATCH', `/api/v1${below(item.url)}`, { body, ...(token !== undefined && { token }) });
const recruiterWith = async (...scopes: readonly string[]): Promise<{ recruiter: Item; token: string }> => {
  const recruiter = await make.recruiter();
  return { recruiter, token: (await make.credential({ scopes, recruiter_id: recruiter.id })).token };
};

describe('the endpoint of a subscription', () => {
  test('shows the destination, the recruiter of the owner and the subscription', async () => {
    const { item: recruiter } = await api.post('/recruiters', {
      firstname: 'R',
      lastname: 'R',
      email: 'r@example.com',
    });
    const { token } = await make.credential({ scopes: ['notifications:create'], recruiter_id: recruiter.id });
    const { url: topicUrl, ...topic } = await make.topic({ name: 'Orders' });
    const body = { destination_url: 'https://receiver.example.com/orders' };
    const { url, id } = expectStatus(201, await api.post(`${below(topicUrl)}/subscriptions`, body, { token })).item;
    const endpoint = await make.endpointOf({ id } as Item);
    expect(endpoint).toEqual({
      id: endpoint.id,
      uuid: expect.any(String),
      url: expect.stringMatching(new RegExp(`/api/v1${ENDPOINTS}/${endpoint.id}$`)),
      created_dt: expect.any(String),
      updated_dt: expect.any(String),
      name: 'receiver.example.com',
      destination_url: 'https://receiver.example.com/orders',
      owner: { id: recruiter.id, url: recruiter.url },
      subscription_count: 1,
      subscriptions: [{ id, url, topic: { id: topic.id, url: topicUrl, type: topic['type'], name: 'Orders' } }],
      ordering: 'subject',
      throttle: null,
      batch: null,
      authentication: { type: 'none', token_url: null, client_id: null, scope: null, certificate_id: null },
      emails_owner: false,
      custom_headers: {},
      signing_key: KEY,
      standard_webhooks_secret: expect.stringMatching(/^whsec_/),
      next_signing_key: null,
      next_key_from_dt: null,
      health: NO_HEALTH,
    });
  });

  test('changes with the destination of the subscription, and is deleted with it', async () => {
    const subscription = await make.subscription();
    const { url } = await make.endpointOf(subscription);
    const destination_url = 'https://other.example.com/';
    expectStatus(200, await patch(subscription, { destination_url }));
    expect((await api.get(below(url))).item).toMatchObject({ name: 'other.example.com', destination_url });
    expectStatus(204, await api.delete(below(subscription.url)));
    expectStatus(404, await api.get(below(url)));
  });
});

describe(`GET ${ENDPOINTS}`, () => {
  test('lists endpoints without their subscriptions', async () => {
    const endpoint = await make.endpointOf();
    const { subscriptions: _, ...item } = endpoint;
    const shown = Object.fromEntries(
      Object.entries(item).filter(([name]) => !/key|secret|headers|authentication|ordering|throttle|batch/.test(name)),
    );
    for (const items of [
      expectStatus(200, await api.get(`${ENDPOINTS}?search=/id=${endpoint.id}`)).items,
      expectStatus(200, await api.post(`${ENDPOINTS}/query`, { search: [`/id=${endpoint.id}`] })).items,
    ])
      expect(items).toEqual([shown]);
  });

  test('finds endpoints by attributes, by owner, and by the topics of their subscriptions', async () => {
    const topic = await make.topic({ name: 'Found by name' });
    const destination_url = 'https://found.example.com/';
    const subscription = await make.subscription({ topicId: topic.id, destination_url });
    const { id, owner } = await make.endpointOf(subscription);
    await make.subscription();
    for (const condition of [
      '/name=found.example.com',
      `/destination_url=${destination_url}`,
      'notification_endpoint.subscriptions.topic.name=Found by name',
      `notification_endpoint.subscriptions.id=${subscription.id}`,
    ]) {
      const { items } = expectStatus(200, await api.get(`${ENDPOINTS}?search=${encodeURIComponent(condition)}`));
      expect([condition, items.map((item) => item.id)]).toEqual([condition, [id]]);
    }
    const all = expectStatus(200, await api.get(`${ENDPOINTS}?search=/owner/id=${(owner as Item).id}&per_page=1000`));
    expect(all.items.map((item) => item.id)).toContain(id);
    expectStatus(200, await api.get(`${ENDPOINTS}?sort=subscription_count!desc`));
  });

  test('needs notifications:read', async () => {
    const { url } = await make.endpointOf();
    const token = await make.token('candidates:read', 'notifications:write');
    for (const path of [ENDPOINTS, below(url)]) expectStatus(403, await api.get(path, { token }));
    const reader = await make.token('notifications:read');
    for (const path of [ENDPOINTS, below(url)]) expectStatus(200, await api.get(path, { token: reader }));
  });
});

describe('an endpoint that a client creates', () => {
  test('has a key, the recruiter of the credential as owner, and no subscriptions', async () => {
    const { recruiter, token } = await recruiterWith(...SCOPES);
    const { item } = expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
    expect(item).toMatchObject({
      ...PROPERTIES,
      owner: { id: recruiter.id, url: recruiter.url },
      subscription_count: 0,
      subscriptions: [],
      signing_key: KEY,
      standard_webhooks_secret: expect.stringMatching(/^whsec_/),
      next_signing_key: null,
    });
    expect((await api.get(below(item.url), { token })).item).toEqual(item);
    const whole = expectStatus(200, await api.put(below(item.url), item, { token })).item;
    expect(whole).toEqual(item);
    expect(expectStatus(200, await patch(item, { name: 'Other' }, token)).item).toMatchObject({
      ...PROPERTIES,
      name: 'Other',
      signing_key: item['signing_key'],
    });
    expectStatus(204, await api.delete(below(item.url), { token }));
    expectStatus(404, await api.get(below(item.url), { token }));
  });

  test('is refused with all violations of its body', async () => {
    for (const [body, violations] of [
      [{}, ['missing /name']],
      [
        { ...PROPERTIES, destination_url: 'http://10.0.0.1/', owner_id: 999_999_999 },
        ['invalid /destination_url', 'invalid /owner_id'],
      ],
      [
        { ...PROPERTIES, destination_url: '', subscription_count: 1 },
        ['invalid /destination_url', 'invalid /subscription_count'],
      ],
    ] as const) {
      const answer = await api.post(ENDPOINTS, body);
      expect([answer.status, [...answer.violations].sort()]).toEqual([422, [...violations].sort()]);
    }
    const item = await make.endpoint();
    for (const answer of [
      await patch(item, { destination_url: 'https://127.0.0.1/' }),
      await api.put(below(item.url), { ...PROPERTIES, destination_url: 'https://127.0.0.1/' }),
    ])
      expect([answer.status, answer.violations]).toEqual([422, ['invalid /destination_url']]);
    expect((await api.get(below(item.url))).item).toEqual(item);
  });

  test('counts towards the quota of its owner, but endpoints of single subscriptions do not', async () => {
    const { recruiter, token } = await recruiterWith(...SCOPES);
    await api.database.query(
      `INSERT INTO notification_endpoints (name, destination_url, owner_id, own_subscription_id)
       SELECT 'Full', 'https://receiver.example.com/', $1, CASE WHEN n > 999 THEN -n END FROM generate_series(1, 1500) n`,
      [recruiter.id],
    );
    expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
    const { status, violations } = await api.post(ENDPOINTS, PROPERTIES, { token });
    expect([status, violations]).toEqual([422, ['quota_exceeded ']]);
    expectStatus(201, await api.post(ENDPOINTS, PROPERTIES));
  });

  test('shows its keys to the credential that created it and to admins alone', async () => {
    const { recruiter, token } = await recruiterWith(...SCOPES);
    const { item } = expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
    const { token: colleague } = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
    const admin = await make.token(...SCOPES, 'notifications:admin');
    for (const reader of [token, admin])
      expect((await api.get(below(item.url), { token: reader })).item).toMatchObject({ signing_key: KEY });
    for (const other of [colleague, await make.token('*:read', '*:write')])
      expect((await api.get(below(item.url), { token: other })).item).toMatchObject(HIDDEN);
    expect((await patch(item, { name: 'Other' }, colleague)).item).toMatchObject({ name: 'Other', ...HIDDEN });
    for (const listed of (await api.get(ENDPOINTS, { token })).items) expect(listed).not.toHaveProperty('signing_key');
  });
});

describe('the owner of an endpoint', () => {
  const CHANGES = {
    PUT: PROPERTIES,
    PATCH: { name: 'Changed' },
    DELETE: undefined,
  } as const;

  test.each(['PUT', 'PATCH', 'DELETE'] as const)(
    'may send %s with any of his or her credentials; otherwise only admins may',
    async (method) => {
      const { recruiter, token } = await recruiterWith(...SCOPES);
      const send = (item: Item, as: string) => {
        const body = CHANGES[method];
        return api.request(method, `/api/v1${below(item.url)}`, { token: as, ...(body && { body }) });
      };
      const others = [await make.token(...SCOPES), (await recruiterWith(...SCOPES)).token];
      const colleague = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
      for (const as of [token, colleague.token, await make.token(...SCOPES, 'notifications:admin')]) {
        const { item } = expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
        for (const other of others) {
          const { problem } = expectStatus(403, await send(item, other));
          expect(problem.message).toContain('notifications:admin');
        }
        expect((await send(item, as)).status).toBeLessThan(300);
      }
      const { item } = expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
      await api.database.query('UPDATE notification_endpoints SET owner_id = NULL WHERE id = $1', [item.id]);
      expect((await send(item, others[0] ?? '')).status).toBeLessThan(300);
    },
  );

  test('changes only by a write of an admin, and stays when a body leaves it out', async () => {
    const { recruiter, token } = await recruiterWith(...SCOPES);
    const next = await recruiterWith(...SCOPES);
    const admin = await make.token(...SCOPES, 'notifications:admin');
    const { item } = expectStatus(201, await api.post(ENDPOINTS, PROPERTIES, { token }));
    for (const owner_id of [next.recruiter.id, null]) expectStatus(403, await patch(item, { owner_id }, token));
    expectStatus(200, await patch(item, { owner_id: recruiter.id }, token));
    expectStatus(200, await api.put(below(item.url), PROPERTIES, { token }));
    expect((await api.get(below(item.url))).item['owner']).toMatchObject({ id: recruiter.id });
    expect((await patch(item, { owner_id: 999_999_999 }, admin)).violations).toEqual(['invalid /owner_id']);
    expectStatus(200, await patch(item, { owner_id: next.recruiter.id }, admin));
    expectStatus(403, await patch(item, {}, token));
    expectStatus(200, await patch(item, {}, next.token));
    expectStatus(403, await api.post(ENDPOINTS, { ...PROPERTIES, owner_id: recruiter.id }, { token: next.token }));
    const body = { ...PROPERTIES, owner_id: recruiter.id };
    expect((await api.post(ENDPOINTS, body, { token: admin })).item['owner']).toMatchObject({ id: recruiter.id });
  });
});

describe('the endpoint of one subscription', () => {
  test('is changed by the owner of the subscription, which gets its destination', async () => {
    const { id: credentialId, token } = await make.credential({ scopes: SCOPES });
    const { url: topicUrl } = await make.topic();
    const body = { destination_url: 'https://receiver.example.com/' };
    const subscription = expectStatus(201, await api.post(`${below(topicUrl)}/subscriptions`, body, { token })).item;
    const endpoint = await make.endpointOf(subscription);
    expect((await api.get(below(endpoint.url), { token })).item['signing_key']).toBe(subscription['signing_key']);
    const destination_url = 'https://other.example.com/';
    expectStatus(403, await patch(endpoint, { destination_url }, await make.token(...SCOPES)));
    const changed = expectStatus(200, await patch(endpoint, { destination_url, name: 'Kept' }, token)).item;
    expect(changed).toMatchObject({ name: 'Kept', destination_url, signing_key: subscription['signing_key'] });
    const now = expectStatus(200, await api.get(below(subscription.url), { token })).item;
    expect(now).toMatchObject({ destination_url, owner: { id: credentialId } });
    expect(now['updated_dt']).not.toBe(subscription['updated_dt']);
    const [row] = await api.database.query<{ readonly destination_origin: string }>(
      'SELECT destination_origin FROM notification_subscriptions WHERE id = $1',
      [subscription.id],
    );
    expect(row?.destination_origin).toBe('https://other.example.com');
  });

  test('keeps its owner when the destination of the subscription changes', async () => {
    const subscription = await make.subscription();
    const endpoint = await make.endpointOf(subscription);
    const recruiter = await make.recruiter();
    const admin = await make.token(...SCOPES, 'notifications:admin');
    expectStatus(200, await patch(endpoint, { owner_id: recruiter.id }, admin));
    expectStatus(200, await patch(subscription, { destination_url: 'https://third.example.com/' }));
    expect((await api.get(below(endpoint.url))).item).toMatchObject({
      owner: { id: recruiter.id },
      destination_url: 'https://third.example.com/',
    });
  });

  test('cannot be deleted', async () => {
    const subscription = await make.subscription();
    const { status, problem } = await api.delete(below((await make.endpointOf(subscription)).url));
    expect([status, problem.errors]).toEqual([
      422,
      [
        {
          resource: 'notification_endpoints',
          path: '',
          code: 'in_use',
          info: 'subscriptions use this endpoint: delete or move them first',
        },
      ],
    ]);
  });
});
