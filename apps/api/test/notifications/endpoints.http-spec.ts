import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ENDPOINTS = '/notification_endpoints';

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
    const endpoint = await make.endpoint({ id } as Item);
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
    });
  });

  test('follows the destination, and is deleted with the subscription', async () => {
    const subscription = await make.subscription();
    const { url } = await make.endpoint(subscription);
    const destination_url = 'https://other.example.com/';
    const path = `/api/v1${below(subscription.url)}`;
    expectStatus(200, await api.request('PATCH', path, { body: { destination_url } }));
    expect((await api.get(below(url))).item).toMatchObject({ name: 'other.example.com', destination_url });
    expectStatus(204, await api.delete(below(subscription.url)));
    expectStatus(404, await api.get(below(url)));
  });
});

describe(`GET ${ENDPOINTS}`, () => {
  test('lists endpoints without their subscriptions', async () => {
    const endpoint = await make.endpoint();
    const { subscriptions: _, ...shown } = endpoint;
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
    const { id, owner } = await make.endpoint(subscription);
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
    const { url } = await make.endpoint();
    const token = await make.token('candidates:read', 'notifications:write');
    for (const path of [ENDPOINTS, below(url)]) expectStatus(403, await api.get(path, { token }));
    const reader = await make.token('notifications:read');
    for (const path of [ENDPOINTS, below(url)]) expectStatus(200, await api.get(path, { token: reader }));
  });
});
