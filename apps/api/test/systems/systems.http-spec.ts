import { describe, expect, test } from '@jest/globals';
import { useApi } from '../support/use-api.js';

const { api } = useApi();

const VERSIONS = [
  { version: '1.9', date: '2025-10-20', status: 'preview' },
  { version: '1.8', date: '2025-04-01', status: 'preview' },
  { version: '1.7', date: '2024-10-03', status: 'stable' },
  { version: '1.6', date: '2024-06-13', status: 'stable' },
  { version: '1.5', date: '2024-02-07', status: 'stable' },
  { version: '1.4', date: '2023-10-04', status: 'stable' },
  { version: '1.3', date: '2021-09-16', status: 'stable' },
  { version: '1.2', date: '2021-08-19', status: 'stable' },
];

describe('api_versions of a system', () => {
  test('lists all served versions, newest first, in every version', async () => {
    const { items } = await api.get('/systems');
    expect(items.map((item) => item['api_versions'])).toEqual([VERSIONS]);
    const { id } = items[0] ?? { id: 0 };
    for (const { version } of VERSIONS)
      expect((await api.get(`/systems/${id}`, { headers: { 'api-version': version } })).item['api_versions']).toEqual(
        VERSIONS,
      );
  });

  test('lists exactly the versions that Api-Version accepts', async () => {
    for (const { version } of VERSIONS)
      expect((await api.get('/me', { headers: { 'api-version': version } })).headers['api-version']).toBe(version);
    expect((await api.get('/me')).headers['api-version']).toBe(
      VERSIONS.find(({ status }) => status === 'stable')?.version,
    );
    const { status, problem } = await api.get('/me', { headers: { 'api-version': '1.10' } });
    expect([status, VERSIONS.every(({ version }) => problem.message.includes(version))]).toEqual([400, true]);
  });

  test.each([
    ['search=/api_versions/*/version=1.7', 1],
    ['search=api_versions.version={1.2,1.9}', 1],
    ['search=/api_versions/*/version!=1.7', 0],
    ['search=/api_versions/*/date=2021-08-19', 1],
    ['search=/api_versions/*/date<2021-08-19', 0],
    ['search=/api_versions/*/status=preview', 1],
    ['search=/api_versions/*/status=', 0],
    ['search=/api_versions/*/version=~1.&filter=2025-10', 1],
  ])('are search keys: %s', async (query, count) => {
    const { status, items } = await api.get(`/systems?${query}`);
    expect([status, items.length]).toEqual([200, count]);
  });

  test.each([
    'search=/api_versions=1.7',
    'search=api_versions=1.7',
    'search=/api_versions/*/version=1.1',
    'search=/api_versions/*/status=beta',
    'sort=api_versions!asc',
    'sort=api_versions.version!asc',
  ])('reject the search %s', async (query) => {
    expect((await api.get(`/systems?${query}`)).status).toBe(400);
  });
});
