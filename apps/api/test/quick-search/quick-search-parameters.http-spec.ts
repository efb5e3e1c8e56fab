// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { ask, find, GROUPS, makeItems, PATH } from './quick-search-items.js';

const { api, make } = useApi();

beforeAll(async () => void (await makeItems(make)));

describe('the scopes of quick search', () => {
  it.each([
    ['candidates:read', ['candidates']],
    ['vacancies:read', ['vacancies']],
    ['events:read', ['events']],
    ['postings:read', ['postings']],
    ['applications:read', ['vacancy_applications', 'event_applications']],
    ['*:read', GROUPS],
  ])('%s alone returns the groups %j', async (scope, groups) => {
    expect(Object.keys(await find(api, 'ada', '', await make.token(scope)))).toEqual(groups);
  });

  it.each(['users:read', 'candidates:write', '*:write'])(
    '%s alone is rejected with a list of the sufficient scopes',
    async (scope) => {
      const { status, problem } = await ask(api, 'ada', '', await make.token(scope));
      expect([status, problem.message]).toEqual([
        403,
        'The credential needs one of the scopes candidates:read, vacancies:read, events:read, postings:read, applications:read',
      ]);
    },
  );

  it('applications:read alone does not search the preferred name, which needs candidates:read', async () => {
    const token = await make.token('applications:read');
    expect((await find(api, 'zuckerhut', '', token))['vacancy_applications']).toHaveLength(1);
    for (const q of ['bobby', 'bobb', 'boby', 'bobby zuckerhut']) {
      const scores = ((await find(api, q, '', token))['vacancy_applications'] ?? []).map(({ id, score }) => [
        id,
        score,
      ]);
      // Every result matches only by the last name: an unknown word instead of "bobby" gives the same results.
      const without = ((await find(api, q.replace(/bob\w*/, 'qqqqq'), '', token))['vacancy_applications'] ?? []).map(
        ({ id }) => id,
      );
      expect(scores.map(([id]) => id)).toEqual(without);
    }
  });
});

describe('the parameters of quick search', () => {
  it.each([
    ['', ['missing ?q']],
    ['q=', ['invalid ?q']],
    ['q=a', ['invalid ?q']],
    ['q=%20a%20', ['invalid ?q']],
    ['q=%F0%9F%98%80', ['invalid ?q']],
    [`q=${'a'.repeat(201)}`, ['invalid ?q']],
    ['q=ab%00', ['invalid ?q']],
    ['q=ab%ff', ['invalid ?q']],
    ['q=ab%ed%a0%80', ['invalid ?q']],
    ['q=ada&q=ada', ['invalid ?q']],
    ['q=ada&limit=0', ['invalid ?limit']],
    ['q=ada&limit=51', ['invalid ?limit']],
    ['q=ada&limit=-1', ['invalid ?limit']],
    ['q=ada&limit=1.5', ['invalid ?limit']],
    ['q=ada&limit=', ['invalid ?limit']],
    ['q=ada&limit=5&limit=5', ['invalid ?limit']],
    ['q=ada&page=1', ['invalid ?page']],
    ['q=a&limit=x&serach=y', ['invalid ?serach', 'invalid ?q', 'invalid ?limit']],
  ])('are rejected with all violations: %s', async (query, violations) => {
    const answer = await api.request('GET', `${PATH}?${query}`);
    expect([answer.status, answer.violations]).toEqual([400, violations]);
  });

  it('accept a text of 2 to 200 characters, counted as code points', async () => {
    expectStatus(200, await ask(api, 'ab'));
    expectStatus(200, await ask(api, '😀'.repeat(200)));
    expectStatus(400, await ask(api, '😀'.repeat(201)));
    expectStatus(200, await ask(api, `${' '.repeat(50)}${'a'.repeat(200)}`));
  });

  it('limit each group to 10 results by default and to 50 at most', async () => {
    for (let index = 0; index < 52; index++) await make.candidate({ firstname: 'Multitude', lastname: 'Example' });
    expect((await find(api, 'multitude'))['candidates']).toHaveLength(10);
    expect((await find(api, 'multitude', '&limit=3'))['candidates']).toHaveLength(3);
    expect((await find(api, 'multitude', '&limit=50'))['candidates']).toHaveLength(50);
  });

  it('are accepted by GET and HEAD only', async () => {
    expect((await api.request('HEAD', `${PATH}?q=ada`)).status).toBe(200);
    expect((await api.request('OPTIONS', PATH)).headers['allow']).toBe('GET, HEAD, OPTIONS');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const { status, headers } = await api.request(method, `${PATH}?q=ada`, method === 'DELETE' ? {} : { body: {} });
      expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
    expect((await api.request('GET', '/api/v1/quick_search?q=ada')).status).toBe(404);
  });
});
