// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const SCOPES = ['notifications:read', 'notifications:write'];
const URL = 'https://shared.example.com/';
const OTHER_URL = 'https://elsewhere.example.com/';
const KEY = expect.stringMatching(/^[0-9a-f]{64}$/);
const OTHER_OWNER =
  'The endpoint has another owner: this needs a credential of the owner, or the scope notifications:admin';

interface Client {
  readonly recruiter: Item;
  readonly token: string;
}

let admin: string;
beforeAll(async () => {
  admin = await make.token(...SCOPES, 'notifications:admin');
});

async function client({ recruiter, scopes = [] }: { recruiter?: Item; scopes?: string[] } = {}): Promise<Client> {
  const owner = recruiter ?? (await make.recruiter());
  const { token } = await make.credential({ scopes: [...SCOPES, ...scopes], recruiter_id: owner.id });
  return { recruiter: owner, token };
}

const patch = ({ url }: Item, body: object, token: string): Promise<Answer> =>
  api.request('PATCH', `/api/v1${below(url)}`, { body, token });
const read = async ({ url }: Item, token: string): Promise<Item> =>
  expectStatus(200, await api.get(below(url), { token })).item;
const endpoint = async (token: string): Promise<Item> =>
  expectStatus(201, await api.post('/notification_endpoints', { name: 'E', destination_url: URL }, { token })).item;
const subscribe = (topic: Item, body: object, token: string): Promise<Answer> =>
  api.post(`${below(topic.url)}/subscriptions`, body, { token });
const rotate = ({ url }: Item, token: string): Promise<Answer> =>
  api.post(`${below(url)}/rotate_key`, { overlap_s: 0 }, { token });

describe('a new destination of an endpoint', () => {
  test('needs the scopes of the expressions of all its topics', async () => {
    const narrow = await client();
    const wide = await client({ recruiter: narrow.recruiter, scopes: ['applications:read', 'candidates:read'] });
    const shared = await endpoint(narrow.token);
    const { token } = wide;
    const topic = await make.topic({ expression: 'application.user.firstname == "Ada"' });
    expectStatus(403, await subscribe(topic, { endpoint_id: shared.id }, narrow.token));
    expectStatus(200, await patch(shared, { destination_url: OTHER_URL }, narrow.token));
    expectStatus(200, await patch(shared, { destination_url: URL }, narrow.token));
    const item = expectStatus(201, await subscribe(topic, { endpoint_id: shared.id }, token)).item;
    const put = { name: 'E', destination_url: OTHER_URL };
    expectStatus(403, await patch(shared, { destination_url: OTHER_URL }, narrow.token));
    expectStatus(403, await api.put(below(shared.url), put, { token: narrow.token }));
    expectStatus(200, await patch(shared, { name: 'Renamed' }, narrow.token));
    expect(await read(item, token)).toMatchObject({ destination_url: URL });
    expectStatus(200, await patch(shared, { destination_url: OTHER_URL }, token));
    expect(await read(item, token)).toMatchObject({ destination_url: OTHER_URL });
  });
});

describe('another destination of a subscription', () => {
  test('needs the scopes of the expression of its topic', async () => {
    const narrow = await client();
    const { token } = await client({ scopes: ['applications:read', 'candidates:read'] });
    const shared = await endpoint(narrow.token);
    const topic = await make.topic({ expression: 'application.user.firstname == "Ada"' });
    const item = expectStatus(201, await subscribe(topic, { destination_url: URL }, token)).item;
    await api.database.query('UPDATE notification_subscriptions SET owner_id = NULL WHERE id = $1', [item.id]);
    for (const body of [{ endpoint_id: shared.id }, { destination_url: OTHER_URL }])
      for (const answer of [
        await patch(item, body, narrow.token),
        await api.put(below(item.url), body, { token: narrow.token }),
      ])
        expect([body, answer.status]).toEqual([body, 403]);
    expectStatus(200, await patch(item, { end_dt: '2099-01-01T00:00:00.000Z' }, narrow.token));
    expect(await read(item, token)).toMatchObject({ destination_url: URL, endpoint: item['endpoint'] });
    expectStatus(200, await patch(item, { destination_url: OTHER_URL }, token));
  });

  test('needs an admin when the subscription has no owner', async () => {
    const { token } = await client();
    const topic = await make.topic();
    const [first, second] = [
      expectStatus(201, await subscribe(topic, { destination_url: URL }, token)).item,
      expectStatus(201, await subscribe(topic, { destination_url: OTHER_URL }, token)).item,
    ];
    await api.database.query('UPDATE notification_subscriptions SET owner_id = NULL WHERE id = $1', [first.id]);
    const { id: endpoint_id } = first['endpoint'] as Item;
    expectStatus(403, await subscribe(topic, { endpoint_id }, token));
    expectStatus(403, await patch(second, { endpoint_id }, token));
    expectStatus(200, await patch(first, { endpoint_id, end_dt: null }, token));
    expectStatus(200, await patch(second, { endpoint_id }, admin));
  });
});

describe('the keys of a shared endpoint', () => {
  test('are shown to admins alone after a change of the owner', async () => {
    const [before, after] = [await client(), await client()];
    const shared = await endpoint(before.token);
    expectStatus(200, await patch(shared, { name: 'Renamed', owner_id: before.recruiter.id }, admin));
    expect(await read(shared, before.token)).toMatchObject({ signing_key: KEY });
    expectStatus(200, await patch(shared, { owner_id: after.recruiter.id }, admin));
    for (const { token } of [before, after]) expect(await read(shared, token)).toMatchObject({ signing_key: null });
    expect(await read(shared, admin)).toMatchObject({ signing_key: shared['signing_key'] });
  });

  test('can be rotated only by credentials of its owner and by admins', async () => {
    const [owner, other] = [await client(), await client()];
    const shared = await endpoint(owner.token);
    const item = expectStatus(201, await subscribe(await make.topic(), { destination_url: URL }, other.token)).item;
    expectStatus(200, await patch(item, { endpoint_id: shared.id }, admin));
    expect(expectStatus(403, await rotate(item, other.token)).problem.message).toBe(OTHER_OWNER);
    expect(await read(shared, owner.token)).toMatchObject({ signing_key: shared['signing_key'] });
    expectStatus(200, await rotate(item, admin));
    expect((await read(shared, owner.token))['signing_key']).not.toBe(shared['signing_key']);
  });

  test('are never shown for another endpoint while the subscription moves', async () => {
    const owner = await client();
    const [own, foreign] = [await endpoint(owner.token), await endpoint(admin)];
    const item = expectStatus(201, await subscribe(await make.topic(), { endpoint_id: own.id }, owner.token)).item;
    const keys = new Map([
      [own.id, own['signing_key']],
      [foreign.id, null],
    ]);
    let isOver = false;
    const move = async (): Promise<void> => {
      for (let times = 0; times < 20; times++)
        for (const { id } of [foreign, own]) expectStatus(200, await patch(item, { endpoint_id: id }, admin));
    };
    const watch = async (): Promise<void> => {
      while (!isOver) {
        const shown = await read(item, owner.token);
        expect(shown['signing_key']).toBe(keys.get((shown['endpoint'] as Item).id));
      }
    };
    await Promise.all([watch(), watch(), move().finally(() => (isOver = true))]);
  });

  test('cause no error 500 when the endpoint is deleted while they are read', async () => {
    for (let times = 0; times < 20; times++) {
      const { url } = await endpoint(admin);
      const answers = await Promise.all([
        api.get(below(url), { token: admin }),
        api.delete(below(url), { token: admin }),
        api.get(below(url), { token: admin }),
      ]);
      for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    }
  });
});

test('a refused endpoint_id gets the text about another owner, whether a recruiter or a credential is the owner', async () => {
  const [owner, other] = [await client(), await client()];
  const topic = await make.topic();
  const foreign = expectStatus(201, await subscribe(topic, { destination_url: URL }, owner.token)).item;
  for (const { id } of [await endpoint(owner.token), foreign['endpoint'] as Item])
    expect(expectStatus(403, await subscribe(topic, { endpoint_id: id }, other.token)).problem.message).toBe(
      OTHER_OWNER,
    );
});

describe('the quotas of endpoints', () => {
  test('count an endpoint that becomes shared, and one that gets another owner', async () => {
    const [full, other] = [await client(), await client()];
    const shared = await endpoint(full.token);
    await api.database.query(
      `INSERT INTO notification_endpoints (name, destination_url, owner_id)
       SELECT 'Full', $2, $1 FROM generate_series(1, 999)`,
      [full.recruiter.id, URL],
    );
    const topic = await make.topic();
    const first = expectStatus(201, await subscribe(topic, { destination_url: URL }, full.token)).item;
    const { id: endpoint_id } = first['endpoint'] as Item;
    const second = expectStatus(201, await subscribe(topic, { destination_url: OTHER_URL }, full.token)).item;
    for (const answer of [
      await subscribe(topic, { endpoint_id }, full.token),
      await patch(second, { endpoint_id }, full.token),
      await patch(await endpoint(other.token), { owner_id: full.recruiter.id }, admin),
    ])
      expect([answer.status, answer.violations]).toEqual([422, ['quota_exceeded ']]);
    expectStatus(200, await patch(shared, { name: 'Renamed' }, full.token));
    expectStatus(201, await subscribe(topic, { endpoint_id: shared.id }, full.token));
  });

  test('count the subscriptions of a topic at one URL when one joins an endpoint', async () => {
    const { token } = await client();
    const topic = await make.topic();
    const item = expectStatus(201, await subscribe(topic, { destination_url: OTHER_URL }, token)).item;
    const shared = await endpoint(token);
    for (let count = 0; count < 20; count++) expectStatus(201, await subscribe(topic, { destination_url: URL }, token));
    const answer = await patch(item, { endpoint_id: shared.id }, token);
    expect([answer.status, answer.violations]).toEqual([422, ['quota_exceeded ']]);
    const [twentieth] = await api.database.query<{ id: number }>(
      'SELECT id FROM notification_subscriptions WHERE topic_id = $1 AND destination_url = $2 LIMIT 1',
      [topic.id, URL],
    );
    const sameUrl = { url: `${topic.url}/subscriptions/${twentieth?.id}` } as Item;
    expectStatus(200, await patch(sameUrl, { endpoint_id: shared.id }, token));
  });
});
