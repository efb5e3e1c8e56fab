import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Api } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';

let api: Api;
let withoutRedis: Api;

beforeAll(async () => {
  api = await Api.start();
  withoutRedis = await Api.start({ REDIS_URL: 'redis://127.0.0.1:1' });
});
afterAll(() => Promise.all([api.close(), withoutRedis.close()]));

describe('the health endpoint', () => {
  test.each(['/health/live', '/health/ready', '/health/serving'])('%s answers without a credential', async (path) => {
    // On a busy machine, a check may get its answer too late and fail.
    await eventually(async () => {
      const { status, item, headers } = await api.request('GET', path, { token: null });
      expect([status, item['status'], headers['x-request-id']]).toEqual([200, 'ok', expect.any(String)]);
    });
  });

  test('reports a process without Redis as alive but not ready, with the usual error body', async () => {
    expect((await withoutRedis.request('GET', '/health/live')).status).toBe(200);
    await eventually(async () => {
      const { status, json, headers } = await withoutRedis.request('GET', '/health/ready');
      expect([status, json]).toEqual([
        503,
        {
          message: expect.any(String),
          status: 'unavailable',
          checks: { database: 'up', migrations: 'up', redis: 'down' },
          warnings: [],
          request_id: headers['x-request-id'],
        },
      ]);
    });
  });

  test('reports that a process without Redis can serve requests', async () => {
    expect((await withoutRedis.get('/candidates')).status).toBe(200);
    expect((await withoutRedis.request('GET', '/health/serving')).status).toBe(200);
  });
});
