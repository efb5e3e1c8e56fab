// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

describe('a collection of applications', () => {
  test('yields every item once when a client follows its links', async () => {
    const vacancy = await make.vacancy();
    for (let count = 0; count < 5; count++) await make.application({ opportunity_id: vacancy.id });
    const total = Number((await api.get('/applications')).headers['x-total-count']);
    const ids: number[] = [];
    let path: string | undefined = '/applications?per_page=2';
    while (path !== undefined) {
      const { items, headers } = expectStatus(200, await api.get(path));
      ids.push(...items.map((item) => item.id));
      const next = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
      path = next?.replace(`${BASE_URL}/api/v1`, '');
    }
    expect([ids.length, new Set(ids).size]).toEqual([total, total]);
  });

  test('has links below the public base URL, whatever the Host header is', async () => {
    const { headers } = await api.request('GET', 'http://elsewhere.example/api/v1/applications?per_page=1&page=2', {
      headers: { host: 'elsewhere.example' },
    });
    const first = `<${BASE_URL}/api/v1/applications?per_page=1&page=1>`;
    expect(headers['link']).toContain(`${first}; rel="first"`);
    expect(headers['link']).toContain(`${first}; rel="prev"`);
    expect(headers['link']).not.toContain('elsewhere');
  });

  test('is an empty array past its end, with links to its first, previous and last page', async () => {
    const { status, text, headers } = await api.get('/applications?page=2147483647&per_page=1000');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers['link']?.match(/rel="\w+"/g)).toEqual(['rel="first"', 'rel="prev"', 'rel="last"']);
  });

  test('has 100 items per page by default and 1000 at most', async () => {
    const { headers } = await api.get('/applications?per_page=1000');
    expect(headers['link']).toContain('per_page=1000');
    expect((await api.get('/applications?per_page=1001')).problem.errors).toEqual([
      {
        resource: 'applications',
        path: '',
        parameter: 'per_page',
        code: 'invalid',
        info: 'expected an integer from 1 to 1000, found "1001"',
      },
    ]);
  });

  test('reports all violations of its query together', async () => {
    expect((await api.get('/applications?page=0&per_page=x&serach=y')).violations).toEqual([
      'invalid ?serach',
      'invalid ?page',
      'invalid ?per_page',
    ]);
  });
});
