import { describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { columnsOf, dataOf, titled } from './layout-readings.js';

const { api, make } = useApi();

describe('a layout', () => {
  test('is returned as it was written, with types derived from its datapaths', async () => {
    const columns = [
      { title: 'Candidate', datapath: 'application.user' },
      { title: 'Submitted', datapath: 'application.submitted_dt' },
      { title: 'Cities', datapath: 'candidate.Address.City' },
      { title: 'Tags', datapath: 'tags' },
    ];
    const { item, headers } = expectStatus(
      201,
      await api.post('/layouts', { name: 'Layout', resource: 'applications', columns }),
    );
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/layouts/${item.id}`),
      name: 'Layout',
      resource: 'applications',
      columns: [
        { position: 1, title: 'Candidate', datapath: 'application.user', type: 'reference', is_many: false },
        { position: 2, title: 'Submitted', datapath: 'application.submitted_dt', type: 'datetime', is_many: false },
        { position: 3, title: 'Cities', datapath: 'application.candidate.Address.City', type: 'text', is_many: true },
        { position: 4, title: 'Tags', datapath: 'application.tags', type: 'text', is_many: true },
      ],
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/layouts/${item.id}`)).item).toEqual(item);
  });

  test.each([
    ['applications', 'score', 'decimal'],
    ['applications', 'rating', 'integer'],
    ['applications', 'user.fullname', 'text'],
    ['applications', 'age_days', 'integer'],
    ['vacancies', 'description', 'rich_text'],
    ['vacancies', 'closing_date', 'date'],
    ['job_boards', 'is_active', 'boolean'],
    ['candidates', 'Email', 'reference'],
    ['layouts', 'columns.title', 'text'],
  ])('derives the column type: in %s, %s has the type %s', async (resource, datapath, type) => {
    expect(columnsOf(await make.layout({ resource, columns: titled(datapath) }))[0]).toMatchObject({ type });
  });

  test('can be replaced as a whole, even by its own representation, and deleted', async () => {
    const layout = await make.layout({ columns: titled('reference', 'source', 'tags') });
    const same = { name: layout['name'], resource: layout['resource'], columns: layout['columns'] };
    expect(expectStatus(200, await api.put(`/layouts/${layout.id}`, same)).item).toEqual(layout);
    const { item } = expectStatus(
      200,
      await api.put(`/layouts/${layout.id}`, { name: 'New', resource: 'candidates', columns: titled('lastname') }),
    );
    expect(item).toMatchObject({
      name: 'New',
      resource: 'candidates',
      columns: [{ position: 1, datapath: 'candidate.lastname' }],
    });
    expectStatus(204, await api.delete(`/layouts/${layout.id}`));
    expect((await api.get(`/layouts/${layout.id}`)).status).toBe(404);
  });

  test('sorts its columns by position, which defaults to the place in the list', async () => {
    const datapathsOf = async (...positions: readonly (number | undefined)[]) => {
      const names = ['id', 'source', 'rating'];
      const layout = await make.layout({
        columns: positions.map((position, index) => ({
          ...(position && { position }),
          title: 'T',
          datapath: names[index],
        })),
      });
      return columnsOf(layout).map(({ position, datapath }) => `${position} ${datapath.split('.')[1]}`);
    };
    expect(await datapathsOf(undefined, undefined, undefined)).toEqual(['1 id', '2 source', '3 rating']);
    expect(await datapathsOf(3, 1, 2)).toEqual(['1 source', '2 rating', '3 id']);
    expect(await datapathsOf(3, undefined, 1)).toEqual(['1 rating', '2 source', '3 id']);
  });

  test.each([
    [{}, ['missing /columns', 'missing /name', 'missing /resource']],
    [{ name: ' ', resource: 'applicants', columns: [] }, ['invalid /columns', 'invalid /name', 'invalid /resource']],
    [{ name: 'x', resource: 'notification_subscriptions', columns: titled('id') }, ['invalid /resource']],
    [
      { name: 'x', resource: 'applications', columns: [1, null, [], {}] },
      [
        'invalid /columns/0',
        'invalid /columns/2',
        'missing /columns/1',
        'missing /columns/3/datapath',
        'missing /columns/3/title',
      ],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [{ title: '', datapath: '', id: 1, type: 'string', is_many: 'no', position: 0 }],
      },
      [
        'invalid /columns/0/datapath',
        'invalid /columns/0/id',
        'invalid /columns/0/is_many',
        'invalid /columns/0/position',
        'invalid /columns/0/title',
        'invalid /columns/0/type',
      ],
    ],
    [
      { name: 7, resource: 'applications', columns: titled('reference', 'refrence', 'user.fistname') },
      ['invalid /columns/1/datapath', 'invalid /columns/2/datapath', 'invalid /name'],
    ],
    [
      { name: 'x', resource: 'bogus', columns: titled('a..b', 'nothing') },
      ['invalid /columns/0/datapath', 'invalid /resource'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: titled('candidate.first name', 'user.', 'a\u0000', 'a\ud800', '__proto__', 'x'.repeat(5_000)),
      },
      [0, 1, 2, 3, 4, 5].map((index) => `invalid /columns/${index}/datapath`),
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [{ title: 'T', datapath: 'score', type: 'text', is_many: true }],
      },
      ['invalid /columns/0/is_many', 'invalid /columns/0/type'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [1, 1, 3].map((position) => ({ position, title: 'T', datapath: 'id' })),
      },
      ['invalid /columns/0/position', 'invalid /columns/1/position'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [
          { title: 'T', datapath: 'id' },
          { position: 1, title: 'T', datapath: 'id' },
        ],
      },
      ['invalid /columns/1/position'],
    ],
    [
      { name: 'x', resource: 'applications', columns: [{ position: 2, title: 'T', datapath: 'id' }] },
      ['invalid /columns/0/position'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: Array.from({ length: 101 }, () => ({ title: 'T', datapath: 'bogus' })),
      },
      ['invalid /columns'],
    ],
  ])('reports every violation of an invalid body (%#)', async (body, violations) => {
    const { status, violations: found } = await api.post('/layouts', body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('reports the position of a datapath error and a suggestion', async () => {
    const { problem } = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: titled('reference', 'application.user.fistname'),
    });
    expect(problem.errors?.[0]).toMatchObject({
      resource: 'layouts',
      path: '/columns/1/datapath',
      info: expect.stringMatching(/^1:18: .*"fistname"; did you mean "firstname"\?\n.*\n +\^{8}$/),
    });
  });

  test('accepts 100 columns and datapaths of 16 names', async () => {
    const { item } = expectStatus(
      201,
      await api.post('/layouts', {
        name: 'x',
        resource: 'applications',
        columns: Array.from({ length: 100 }, () => ({ title: 'T', datapath: 'id' })),
      }),
    );
    expect(columnsOf(item)).toHaveLength(100);
    await make.application();
    expect(dataOf((await api.get(`/applications?layout=${item.id}`)).items[0] as Item)).toHaveLength(100);
    const deep = (steps: number): string => `${'copied_from.'.repeat(steps)}id`;
    expect(columnsOf(await make.layout({ columns: titled(deep(14)) }))).toHaveLength(1);
    expect(
      (await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(deep(15)) })).violations,
    ).toEqual(['invalid /columns/0/datapath']);
    const withLabel = `${'copied_from.'.repeat(14)}copied_from`;
    expect(
      (await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(withLabel) })).violations,
    ).toEqual(['invalid /columns/0/datapath']);
  });

  test('accepts at most 50 related objects', async () => {
    const chains = ['user', 'candidate', 'posting', 'opportunity', 'vacancy.owner', 'event'].flatMap((end) =>
      Array.from({ length: 12 }, (_, index) => `${'copied_from.'.repeat(index)}${end}.id`),
    );
    const { status, violations } = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: titled(...chains),
    });
    expect([status, violations[0], violations.length]).toEqual([
      422,
      `invalid /columns/${39}/datapath`,
      chains.length - 39,
    ]);
    expectStatus(
      201,
      await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(...chains.slice(0, 39)) }),
    );
  });
});

describe('the collection of layouts', () => {
  test('is filtered by resource, together with other parameters', async () => {
    const [ours, other] = [
      await make.layout({ resource: 'postings', columns: titled('title') }),
      await make.layout({ resource: 'postings', columns: titled('title'), name: 'Second' }),
    ];
    await make.layout();
    const answer = await api.get('/layouts?resource=postings&sort=id!desc');
    expect([answer.items.map(({ id }) => id), answer.headers['x-total-count']]).toEqual([[other.id, ours.id], '2']);
    expect(answer.headers['link']).toContain('resource=postings');
    expect((await api.get('/layouts?resource=postings&search=name=Second')).items.map(({ id }) => id)).toEqual([
      other.id,
    ]);
    expect((await api.get('/layouts?resource=events')).items).toEqual([]);
  });

  test.each([
    ['resource=applicants', ['invalid ?resource']],
    ['resource=', ['invalid ?resource']],
    ['resource=%00', ['invalid ?resource']],
    ['resource=postings&resource=postings', ['invalid ?resource']],
    [
      'resource=x&page=0&layout=x&serach=1',
      ['invalid ?layout', 'invalid ?page', 'invalid ?resource', 'invalid ?serach'],
    ],
  ])('rejects the query with %s', async (query, violations) => {
    const answer = await api.get(`/layouts?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('is the only collection with the parameter resource', async () => {
    expect((await api.get('/applications?resource=applications')).violations).toEqual(['invalid ?resource']);
  });
});
