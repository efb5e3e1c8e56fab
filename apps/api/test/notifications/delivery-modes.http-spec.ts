import { describe, expect, test } from '@jest/globals';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const patch = (url: string, body: object) => api.request('PATCH', `/api/v1${below(url)}`, { body });

describe('the delivery modes of an endpoint', () => {
  test('default to the ordering subject, no throttle and no batch', async () => {
    expect(await make.endpoint()).toMatchObject({ ordering: 'subject', throttle: null, batch: null });
    const modes = { ordering: 'strict', throttle: { limit: 5, per_s: 10 }, batch: { max: 50, wait_ms: 500 } };
    const endpoint = await make.endpoint(modes);
    expect(endpoint).toMatchObject(modes);
    expect((await api.get(below(endpoint.url))).item).toEqual(endpoint);
  });

  test('change by PATCH, and fall back to the defaults by a PUT without them', async () => {
    const { url, name, destination_url } = await make.endpoint({ throttle: { limit: 5, per_s: 10 } });
    const changed = expectStatus(200, await patch(url, { ordering: 'none', throttle: { limit: 6 } })).item;
    expect(changed).toMatchObject({ ordering: 'none', throttle: { limit: 6, per_s: 10 } });
    expect(expectStatus(200, await patch(url, { name: 'Renamed' })).item).toMatchObject({
      ordering: 'none',
      throttle: { limit: 6, per_s: 10 },
    });
    expect(expectStatus(200, await patch(url, { throttle: null })).item).toMatchObject({ throttle: null });
    const replaced = expectStatus(200, await api.put(below(url), { name, destination_url })).item;
    expect(replaced).toMatchObject({ ordering: 'subject', throttle: null });
  });

  test('change updated_dt when they change, and only then', async () => {
    const endpoint = await make.endpoint({ ordering: 'strict' });
    const same = expectStatus(200, await patch(endpoint.url, { ordering: 'strict' })).item;
    expect(same['updated_dt']).toBe(endpoint['updated_dt']);
    const changed = expectStatus(200, await patch(endpoint.url, { ordering: 'none' })).item;
    expect(String(changed['updated_dt']) > String(endpoint['updated_dt'])).toBe(true);
  });

  test.each([
    [{ ordering: 'random' }, ['invalid /ordering']],
    [{ throttle: { limit: 0, per_s: 3_601 } }, ['invalid /throttle/limit', 'invalid /throttle/per_s']],
    [{ throttle: { limit: 10_001 } }, ['invalid /throttle/limit', 'missing /throttle/per_s']],
    [{ throttle: { limit: 1, per_s: 1, burst: 2 } }, ['invalid /throttle/burst']],
    [{ throttle: 5 }, ['invalid /throttle']],
    [{ batch: { max: 101, wait_ms: 5_001 } }, ['invalid /batch/max', 'invalid /batch/wait_ms']],
    [{ batch: { max: 0 } }, ['invalid /batch/max', 'missing /batch/wait_ms']],
    [{ batch: 1 }, ['invalid /batch']],
  ])('cannot be %j', async (body, violations) => {
    const endpoint = { name: 'Payroll', destination_url: 'https://receiver.example.com/', ...body };
    const answer = await api.post('/notification_endpoints', endpoint);
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('make an endpoint of a single subscription a shared one when it gets a batch', async () => {
    const subscription = await make.subscription();
    const { url, signing_key } = await make.endpointOf(subscription);
    const batch = { max: 10, wait_ms: 0 };
    expect(expectStatus(200, await patch(url, { batch })).item).toMatchObject({ batch, signing_key });
    expectStatus(204, await api.delete(below(subscription.url)));
    expectStatus(200, await api.get(below(url)));
    expect(expectStatus(200, await patch(url, { batch: null })).item).toMatchObject({ batch: null });
  });
});
