// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const POSTING_TOPICS = [{ type: 'POSTING_CREATE' }, { type: 'POSTING_DELETE' }];
const act = ({ url }: Item, action: string, body?: unknown, token?: string): Promise<Answer> =>
  api.post(`${below(url)}/${action}`, body, { ...(token && { token }) });
const statusesOf = async ({ subscriptions }: Item): Promise<readonly unknown[]> =>
  Promise.all((subscriptions as readonly Item[]).map(async ({ url }) => (await api.get(below(url))).item['status']));

describe('disabling and enabling an endpoint', () => {
  test('disables and enables all its subscriptions, and shows that in its health', async () => {
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    const disabled = expectStatus(200, await act(endpoint, 'disable')).item;
    expect(disabled['health']).toMatchObject({ disabled_reason: 'requested', disabled_dt: expect.any(String) });
    expect(await statusesOf(endpoint)).toEqual(['disabled', 'disabled']);
    const enabled = expectStatus(200, await act(endpoint, 'enable')).item;
    expect(enabled['health']).toMatchObject({ disabled_reason: null, disabled_dt: null });
    expect(await statusesOf(endpoint)).toEqual(['active', 'active']);
    expect((await api.get(below(endpoint.url))).item).toEqual(enabled);
  });

  test('keeps the reason of a subscription that is disabled already', async () => {
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    const [first, second] = endpoint['subscriptions'] as readonly Item[];
    await api.database.query(
      `UPDATE notification_subscriptions SET disabled_dt = now(), disabled_reason = 'gone' WHERE id = $1`,
      [first?.id],
    );
    expectStatus(200, await act(endpoint, 'disable'));
    const reasons = [];
    for (const one of [first, second]) reasons.push((await api.get(below(String(one?.url)))).item['disabled_reason']);
    expect(reasons).toEqual(['gone', 'requested']);
  });

  test('raises one event for each subscription that is disabled', async () => {
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    for (let time = 0; time < 2; time++) expectStatus(200, await act(endpoint, 'disable'));
    const ids = (endpoint['subscriptions'] as readonly Item[]).map(({ id }) => id);
    const events = await api.database.query<{ subject_id: number }>(
      `SELECT subject_id FROM domain_events WHERE type = 'SUBSCRIPTION_DISABLED' AND subject_id = ANY($1)
       ORDER BY subject_id`,
      [ids],
    );
    expect(events.map((event) => event.subject_id)).toEqual(ids);
  });

  test('enabling needs the scopes of the expressions, and otherwise enables nothing', async () => {
    const { recruiter } = await owner();
    const topics = [{ type: 'STATE_CHANGE_APPLICATION', expression: 'application.user.firstname == "Ada"' }];
    const endpoint = await make.endpoint({ topics, owner_id: recruiter.id });
    const { token } = await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id });
    expectStatus(200, await act(endpoint, 'disable', undefined, token));
    expectStatus(403, await act(endpoint, 'enable', undefined, token));
    expect(await statusesOf(endpoint)).toEqual(['disabled']);
  });
});

describe('rotating the key of an endpoint', () => {
  test('gives the next key to the endpoint and to all its subscriptions', async () => {
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    const { item, headers } = expectStatus(200, await act(endpoint, 'rotate_key'));
    expect([item['signing_key'], headers['cache-control']]).toEqual([endpoint['signing_key'], 'no-store']);
    expect(item['next_signing_key']).toMatch(/^[0-9a-f]{64}$/);
    for (const { url } of endpoint['subscriptions'] as readonly Item[])
      expect((await api.get(below(url))).item['next_signing_key']).toBe(item['next_signing_key']);
  });

  test('takes effect at once without an overlap, also without subscriptions', async () => {
    const endpoint = await make.endpoint();
    const { item } = expectStatus(200, await act(endpoint, 'rotate_key', { overlap_s: 0 }));
    expect(item['next_signing_key']).toBeNull();
    expect(item['signing_key']).not.toBe(endpoint['signing_key']);
  });

  test.each([
    [{ overlap_s: -1 }, ['invalid /overlap_s']],
    [{ overlap_s: null }, ['missing /overlap_s']],
    [{ overlap: 60 }, ['invalid /overlap']],
    [[], ['invalid ']],
  ])('rejects %j, and keeps the key', async (body, violations) => {
    const endpoint = await make.endpoint();
    const answer = await act(endpoint, 'rotate_key', body);
    expect([answer.status, answer.violations]).toEqual([422, violations]);
    expect((await api.get(below(endpoint.url))).item).toEqual(endpoint);
  });

  test('runs once per Idempotency-Key', async () => {
    const endpoint = await make.endpoint();
    const options = { headers: { 'idempotency-key': 'endpoint-rotation' } };
    const send = (): Promise<Answer> => api.post(`${below(endpoint.url)}/rotate_key`, { overlap_s: 60 }, options);
    const first = expectStatus(200, await send());
    expect((await send()).text).toBe(first.text);
  });
});

describe('a test message to an endpoint', () => {
  test('is sent for its oldest subscription', async () => {
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    const { item, headers } = expectStatus(202, await act(endpoint, 'ping'));
    const [oldest] = endpoint['subscriptions'] as readonly Item[];
    expect(headers['location']).toBe(item.url);
    expect(JSON.parse(String(item['body']))).toMatchObject({
      subscription: { id: oldest?.id },
      details: { is_test: true },
    });
    expect((await api.get(below(item.url))).item).toEqual(item);
  });

  test('is refused without a subscription, and for a forbidden destination', async () => {
    const empty = await act(await make.endpoint(), 'ping');
    expect([empty.status, empty.violations]).toEqual([422, ['no_subscriptions ']]);
    const endpoint = await make.endpoint({ topics: POSTING_TOPICS });
    await api.database.query(
      `UPDATE notification_endpoints SET destination_url = 'https://169.254.169.254/' WHERE id = $1`,
      [endpoint.id],
    );
    const answer = await act(endpoint, 'ping');
    expect([answer.status, answer.violations]).toEqual([422, ['invalid /destination_url']]);
  });
});

const SCOPES = ['notifications:read', 'notifications:write'];
const owner = async (): Promise<{ recruiter: Item; token: string }> => {
  const recruiter = await make.recruiter();
  return { recruiter, token: (await make.credential({ scopes: SCOPES, recruiter_id: recruiter.id })).token };
};

describe.each(['enable', 'disable', 'rotate_key', 'ping'])('POST /notification_endpoints/<id>/%s', (action) => {
  const success = action === 'ping' ? 202 : 200;

  test('is allowed to credentials of the owner and to admins', async () => {
    const [own, other] = [await owner(), await owner()];
    const endpoint = await make.endpoint({ owner_id: own.recruiter.id, topics: POSTING_TOPICS });
    const admin = await make.token(...SCOPES, 'notifications:admin');
    expectStatus(403, await act(endpoint, action, undefined, other.token));
    for (const token of [own.token, admin]) expectStatus(success, await act(endpoint, action, undefined, token));
  });

  test('is allowed to the owner of the subscription when the endpoint is its own endpoint', async () => {
    const recruiter = await make.recruiter();
    const credentials = [];
    for (let one = 0; one < 2; one++)
      credentials.push(
        await make.credential({ scopes: [...SCOPES, 'notifications:create'], recruiter_id: recruiter.id }),
      );
    const [own, other] = credentials;
    const { item } = expectStatus(
      201,
      await api.post(
        `/notification_topics/${(await make.topic({ type: 'POSTING_CREATE' })).id}/subscriptions`,
        { destination_url: 'https://own.example.com/' },
        { token: String(own?.token) },
      ),
    );
    const endpoint = await make.endpointOf(item);
    expectStatus(403, await act(endpoint, action, undefined, String(other?.token)));
    expectStatus(success, await act(endpoint, action, undefined, String(own?.token)));
  });

  test('answers 404 for an endpoint that does not exist', async () => {
    expect((await api.post(`/notification_endpoints/999999999/${action}`)).status).toBe(404);
  });
});
