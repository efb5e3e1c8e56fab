import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { candidates, idsOf } from './members.js';

const { api, make } = useApi();

describe('the listed members of a selection', () => {
  test('are limited by an expression over the members', async () => {
    const [a, b, c] = await candidates(make, 3);
    const { id } = await make.selection({ members: [a, b, c] as Item[] });
    const where = `candidate.id == ${a?.id ?? 0} OR candidate.id > ${b?.id ?? 0}`;
    const page = await api.get(`/selections/${id}/members?where=${encodeURIComponent(where)}&per_page=1`);
    expect([page.headers['x-total-count'], idsOf(page)]).toEqual(['2', [a?.id]]);
    const next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? '';
    expect(idsOf(await api.get(next))).toEqual([c?.id]);
    const body = { where, per_page: 1, page: 2 };
    expect(idsOf(await api.post(`/selections/${id}/members/query`, body))).toEqual([c?.id]);
    // A long expression is stored, and the links have the handle of the stored query.
    const long = `${where} OR ${Array.from({ length: 60 }, () => 'candidate.lastname == "nobody at all"').join(' OR ')}`;
    const stored = await api.post(`/selections/${id}/members/query`, { where: long, per_page: 1 });
    const link = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(stored.headers['link'] ?? '')?.[1] ?? '';
    expect(link).toContain('query=');
    expect(idsOf(await api.get(link))).toEqual([c?.id]);
  });

  test.each([
    ['', 'expected an expression'],
    ['candidate.nope == 1', 'candidate has no attribute or relation "nope"'],
    ['vacancy.title == "x"', 'candidate'],
  ])('reject the expression %j with its position', async (where, info) => {
    const { id } = await make.selection();
    const { status, problem } = await api.get(`/selections/${id}/members?where=${encodeURIComponent(where)}`);
    expect([status, problem.errors]).toEqual([
      400,
      [expect.objectContaining({ parameter: 'where', code: 'invalid', info: expect.stringContaining(info) })],
    ]);
  });

  test('need the read scopes of the datapaths in the expression', async () => {
    const { id } = await make.selection({ resource: 'applications' });
    const token = await make.token('selections:read', 'applications:read');
    const where = encodeURIComponent('application.user.language == "de"');
    const { status, problem } = await api.get(`/selections/${id}/members?where=${where}`, { token });
    expect([status, problem.message]).toEqual([
      403,
      'The credential lacks the scope users:read, which application.user.language needs',
    ]);
    const own = encodeURIComponent('application.rating > 3');
    expectStatus(200, await api.get(`/selections/${id}/members?where=${own}`, { token }));
  });

  test.each([
    'page=0',
    'per_page=1001',
    'page=1&page=2',
    'sort=id!asc',
    'search=id=1',
    'filter=x',
    'selection=1',
    'layout=1',
    'where=candidate.id>1&where=candidate.id>2',
  ])('reject the query %s', async (query) => {
    const { id } = await make.selection();
    const answer = await api.get(`/selections/${id}/members?${query}`);
    expect([answer.status, answer.violations]).toEqual([400, [`invalid ?${query.split('=')[0] ?? ''}`]]);
  });
});
