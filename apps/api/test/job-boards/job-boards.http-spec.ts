import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

describe('a job board', () => {
  test('is returned as it was written, and is active and external by default', async () => {
    const body = { name: 'Board', code: 'board', base_url: 'https://board.example.com' };
    const { item, headers } = expectStatus(201, await api.post('/job_boards', body));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/job_boards/${item.id}`),
      ...body,
      is_internal: false,
      is_active: true,
      is_public: false,
    });
    expect(headers['location']).toBe(item.url);
  });

  test('is replaced as a whole', async () => {
    const { id, code } = await make.jobBoard({
      is_active: false,
      is_internal: true,
      base_url: 'https://board.example.com',
    });
    const { item } = expectStatus(200, await api.put(`/job_boards/${id}`, { name: 'New', code }));
    expect(item).toMatchObject({ name: 'New', is_active: true, is_internal: false, base_url: null });
  });

  test('requires a unique code', async () => {
    const [first, second] = [await make.jobBoard(), await make.jobBoard()];
    expect((await api.post('/job_boards', { name: 'Board', code: first['code'] })).violations).toEqual([
      'already_exists /code',
    ]);
    expect((await api.put(`/job_boards/${second.id}`, { name: 'Board', code: first['code'] })).violations).toEqual([
      'already_exists /code',
    ]);
  });

  test.each([
    [{}, ['missing /code', 'missing /name']],
    [{ name: '', code: ' ' }, ['invalid /code', 'invalid /name']],
    [{ name: 'x', code: 'y', is_active: 'yes', is_internal: 1 }, ['invalid /is_active', 'invalid /is_internal']],
    [
      { name: 'x'.repeat(256), code: 1, base_url: 'x'.repeat(2001) },
      ['invalid /base_url', 'invalid /code', 'invalid /name'],
    ],
  ])('rejects an invalid body (%#)', async (body, violations) => {
    const { status, violations: found } = await api.post('/job_boards', body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('cannot be deleted while it has postings', async () => {
    const { id, job_board } = await make.posting();
    const path = `/job_boards/${(job_board as { id: number }).id}`;
    expect((await api.delete(path)).violations).toEqual(['in_use ']);
    await api.delete(`/postings/${id}`);
    expectStatus(204, await api.delete(path));
    expect((await api.get(path)).status).toBe(404);
  });
});
