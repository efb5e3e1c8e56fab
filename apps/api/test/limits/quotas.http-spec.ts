import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { allResources, type Resource } from '@ats/domain';
import { pairOf } from '../support/certificate-pair.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
afterEach(() => void jest.restoreAllMocks());

type Quotas = NonNullable<Resource['quotas']>;

const columns = [{ title: 'x', datapath: 'lastname' }];
/** The bodies that create an item, for each resource with a quota. */
const BODIES: Readonly<Record<string, object>> = {
  client_certificates: { name: 'x', ...pairOf('client.example.com') },
  config_searches: { name: 'x', resource: 'candidates' },
  forms: { name: 'x', resource: 'applications', sections: [] },
  layouts: { name: 'x', resource: 'candidates', columns },
  message_templates: { name: 'x', subject: 'x', body: 'x' },
  notification_endpoints: { name: 'x', destination_url: 'https://receiver.example.com/' },
  notification_topics: { name: 'x', type: 'POSTING_CREATE' },
  saved_searches: { name: 'x', resource: 'candidates' },
  selections: { name: 'x', resource: 'candidates' },
};

const limited = allResources().filter(({ quotas }) => quotas !== undefined);
const setQuotas = (resource: Resource, quotas: Quotas): void =>
  void jest.replaceProperty(resource as { quotas: Quotas }, 'quotas', quotas);
const countOf = async (resource: Resource): Promise<number> =>
  (await api.database.query<{ count: number }>(`SELECT count(*) AS count FROM ${resource.type.table ?? ''}`))[0]
    ?.count ?? 0;

describe('the quotas of stored items', () => {
  test.each(Object.keys(BODIES))('refuse one more of %s, and allow it after a deletion', async (name) => {
    const resource = limited.find((one) => one.name === name) as Resource;
    const path = `/${resource.paths[0]}`;
    const { id } = expectStatus(201, await api.post(path, BODIES[name])).item;
    const most = await countOf(resource);
    setQuotas(resource, [{ most }]);
    const { status, problem } = await api.post(path, BODIES[name]);
    const info = `at most ${most} ${name} may exist: delete one that is no longer used`;
    expect([status, problem.errors]).toEqual([422, [{ resource: name, path: '', code: 'quota_exceeded', info }]]);
    expect(await countOf(resource)).toBe(most);
    expectStatus(204, await api.delete(`${path}/${id}`));
    expectStatus(201, await api.post(path, BODIES[name]));
    expect((await api.get(`/schemas/${name}`)).json).toMatchObject({
      'x-error-codes': { quota_exceeded: expect.any(String) },
    });
  });

  test('count the saved searches of each recruiter separately', async () => {
    const resource = limited.find(({ name }) => name === 'saved_searches') as Resource;
    const recruiter = await make.recruiter();
    const { token } = await make.credential({ scopes: ['*:read', '*:write'], recruiter_id: recruiter.id });
    expectStatus(201, await api.post('/saved_searches', BODIES['saved_searches']));
    setQuotas(resource, [{ most: 1, per: ['owner_id'] }]);
    expectStatus(422, await api.post('/saved_searches', BODIES['saved_searches']));
    expectStatus(201, await api.post('/saved_searches', BODIES['saved_searches'], { token }));
    expectStatus(422, await api.post('/saved_searches', BODIES['saved_searches'], { token }));
  });

  test('limit the subscriptions of a topic to one destination', async () => {
    const { id } = await make.topic();
    const subscribe = (host: string) =>
      api.post(`/notification_topics/${id}/subscriptions`, { destination_url: `https://${host}.example.com/` });
    for (let n = 0; n < 20; n++) expectStatus(201, await subscribe('one'));
    const { status, problem } = await subscribe('one');
    expect([status, problem.errors?.[0]]).toEqual([
      422,
      {
        resource: 'notification_subscriptions',
        path: '',
        code: 'quota_exceeded',
        info: expect.stringMatching(
          /^at most 20 notification_subscriptions may have the same topic_id.*destination_url/,
        ),
      },
    ]);
    expectStatus(201, await subscribe('two'));
  });

  test('are each tested in this file', () => {
    expect(limited.map(({ name }) => name)).toEqual([...Object.keys(BODIES), 'notification_subscriptions'].sort());
  });
});
