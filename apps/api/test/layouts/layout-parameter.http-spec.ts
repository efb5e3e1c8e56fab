// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { titled } from './layout-readings.js';

const { api, make } = useApi();

describe('the parameter layout', () => {
  let application: Item;
  beforeAll(async () => void (application = await make.application()));

  test.each(['0', '-1', '1.0', 'x', '', '%00', '%ED%A0%80', '1%20', '9007199254740993', '9'.repeat(40), '999999999'])(
    'rejects %s, on items and pages',
    async (text) => {
      for (const path of [`/applications/${application.id}`, '/applications']) {
        const { status, violations } = await api.get(`${path}?layout=${text}`);
        expect([path, status, violations]).toEqual([path, 400, ['invalid ?layout']]);
      }
    },
  );

  test('rejects a layout of another resource like a missing layout', async () => {
    const { id } = await make.layout({ resource: 'candidates', columns: titled('lastname') });
    const { problem } = await api.get(`/applications?layout=${id}`);
    expect(problem.errors).toEqual([
      {
        resource: 'applications',
        path: '',
        parameter: 'layout',
        code: 'invalid',
        info: `there is no layout ${id} for applications`,
      },
    ]);
  });

  test('is rejected when it is given twice, together with other violations', async () => {
    const { id } = await make.layout();
    const paged = await api.get(`/applications?layout=${id}&layout=${id}&page=0&search=bogus=1&serach=x`);
    expect([paged.status, [...paged.violations].sort()]).toEqual([
      400,
      ['invalid ?layout', 'invalid ?page', 'invalid ?search', 'invalid ?serach'],
    ]);
    expect([...(await api.get(`/applications/${application.id}?layout=x&page=1`)).violations].sort()).toEqual([
      'invalid ?layout',
      'invalid ?page',
    ]);
  });

  test('is rejected when the object model no longer contains a datapath of the layout', async () => {
    const { id } = await make.layout({ columns: titled('id', 'reference') });
    await api.database.query(
      `UPDATE layout_columns SET datapath = 'application.refrence' WHERE layout_id = $1 AND position = 1`,
      [id],
    );
    const { status, problem } = await api.get(`/applications?layout=${id}`);
    expect([status, problem.errors?.[0]?.info]).toEqual([
      400,
      expect.stringMatching(/column 2: .*"refrence"; did you mean "reference"\?/),
    ]);
  });
});

describe('the scopes of a layout', () => {
  const COLUMNS: readonly (readonly [datapath: string, ...scopes: readonly string[]])[] = [
    ['reference'],
    ['user.firstname'],
    ['opportunity'],
    ['main_process_state'],
    ['user', 'users:read'],
    ['user.language', 'users:read'],
    ['candidate', 'candidates:read'],
    ['candidate.Email', 'candidates:read'],
    ['posting', 'postings:read'],
    ['vacancy.owner', 'vacancies:read', 'recruiters:read'],
  ];

  test.each(COLUMNS)('are only those of the datapath when the column is %s', async (datapath, ...scopes) => {
    const body = { name: 'x', resource: 'applications', columns: titled(datapath) };
    const { id } = await make.layout(body);
    const { id: itemId } = await make.application();
    const requests = (token: string) => [
      api.post('/layouts', body, { token }),
      api.put(`/layouts/${id}`, body, { token }),
      api.get(`/applications?layout=${id}`, { token }),
      api.get(`/applications/${itemId}?layout=${id}`, { token }),
    ];
    const enough = await Promise.all(requests(await make.token('applications:read', 'layouts:write', ...scopes)));
    expect(enough.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    for (const lacking of scopes) {
      const token = await make.token(
        'applications:read',
        'layouts:write',
        ...scopes.filter((scope) => scope !== lacking),
      );
      const answers = await Promise.all(requests(token));
      expect(answers.map(({ status, problem }) => [status, problem.message.includes(` ${lacking}`)])).toEqual(
        answers.map(() => [403, true]),
      );
    }
  });

  test('are checked after the other query parameters', async () => {
    const { id } = await make.layout({ columns: titled('user.language') });
    const token = await make.token('applications:read');
    expect((await api.get(`/applications?layout=${id}&page=0`, { token })).violations).toEqual(['invalid ?page']);
    expect((await api.get(`/applications?layout=${id}`, { token })).status).toBe(403);
  });
});
