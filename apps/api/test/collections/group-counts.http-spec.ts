import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

let research: Item;

beforeAll(async () => {
  research = await make.vacancy({ department: 'Research', opening_date: '2026-01-02' });
  const sales = await make.vacancy({ department: 'Sales' });
  for (const [opportunity, rating] of [
    [research, 5],
    [research, 5],
    [research, 1],
    [sales, 5],
    [sales, undefined],
  ] as const)
    await make.application({ opportunity_id: opportunity.id, ...(rating !== undefined && { rating }) });
});

const counts = async (query: string): Promise<unknown> =>
  expectStatus(200, await api.get(`/vacancy_applications/counts?${query}`)).json;

describe('counts by group', () => {
  test('have the values of each group, the largest one first', async () => {
    expect(await counts('by=rating')).toEqual([
      { values: { rating: 5 }, count: 3 },
      { values: { rating: 1 }, count: 1 },
      { values: { rating: null }, count: 1 },
    ]);
  });

  test('group by several datapaths, also of related objects', async () => {
    const by = 'application.opportunity.department,rating';
    const group = (department: string, rating: number | null, count: number): object => ({
      values: { 'application.opportunity.department': department, rating },
      count,
    });
    expect(await counts(`by=${by}`)).toEqual([
      group('Research', 5, 2),
      group('Research', 1, 1),
      group('Sales', 5, 1),
      group('Sales', null, 1),
    ]);
  });

  test('format dates and times as items do', async () => {
    const { json } = await api.get(`/vacancies/counts?by=opening_date,created_dt&search=/id=${research.id}`);
    expect(json).toEqual([{ values: { opening_date: '2026-01-02', created_dt: research['created_dt'] }, count: 1 }]);
  });

  test('count what search, where and filters select', async () => {
    const five = [{ values: { rating: 5 }, count: 3 }];
    expect(await counts('by=rating&search=/rating=5')).toEqual(five);
    expect(await counts(`by=rating&where=${encodeURIComponent('application.rating == 5')}`)).toEqual(five);
    expect(await counts('by=rating&search=/rating=4')).toEqual([]);
    expect(await counts('by=opportunity.department,rating&search=/rating>3')).toEqual([
      { values: { 'opportunity.department': 'Research', rating: 5 }, count: 2 },
      { values: { 'opportunity.department': 'Sales', rating: 5 }, count: 1 },
    ]);
  });

  test('count what a stored query selects, whatever its order and layout', async () => {
    const filler = Array.from({ length: 60 }, () => `search=/id!=${'9'.repeat(15)}`)
      .slice(0, 19)
      .join('&');
    const list = await api.get(
      `/vacancy_applications?search=/rating=5&sort=created_dt!asc&per_page=1&${filler}&where=${encodeURIComponent(
        Array.from({ length: 60 }, () => 'application.rating == 5').join(' OR '),
      )}`,
    );
    const handle = /[?&]query=(\w+)/.exec(String(list.headers['link']))?.[1];
    expect(handle).toBeDefined();
    expect(await counts(`by=rating&query=${handle}`)).toEqual([{ values: { rating: 5 }, count: 3 }]);
  });

  test('have one value for each datapath of the parameter by, even for two spellings of one datapath', async () => {
    expect(await counts('by=rating,application.rating&search=/rating=1')).toEqual([
      { values: { rating: 1, 'application.rating': 1 }, count: 1 },
    ]);
  });

  test('are recorded in the audit log when they show personal data', async () => {
    await make.candidate({ lastname: 'Lovelace' });
    expectStatus(200, await api.get('/candidates/counts?by=lastname'));
    await eventually(async () => {
      const { items } = await api.get('/audit_entries?search=/action=personal_data_read&search=/collection=candidates');
      expect(items.length).toBeGreaterThan(0);
    });
  });

  test('agree with the items of the collection', async () => {
    const { items } = await api.get('/vacancy_applications?per_page=100');
    const found = (await counts('by=id')) as readonly { count: number }[];
    expect(found.length).toBe(items.length);
    expect(found.every(({ count }) => count === 1)).toBe(true);
  });

  test.each([
    ['', 'by'],
    ['by=', 'by'],
    ['by=colour', 'by'],
    ['by=rating!asc', 'by'],
    ['by=id,rating,score,uuid,created_dt', 'by'],
    ['by=candidate.Email.Address', 'by'],
    ['by=opportunity', 'by'],
    ['by=rating&page=1', 'page'],
    ['by=rating&sort=rating!asc', 'sort'],
    ['by=rating&layout=1', 'layout'],
    ['by=rating&colour=red', 'colour'],
  ])('are refused for the query ?%s', async (query, parameter) => {
    const { status, problem } = await api.get(`/vacancy_applications/counts?${query}`);
    expect([status, [...new Set(problem.errors?.map((error) => error.parameter))]]).toEqual([400, [parameter]]);
  });

  test('quote the datapath as the client wrote it in an error', async () => {
    const { text } = await api.get('/vacancy_applications/counts?by=rating,opportunity');
    expect(text).toContain('opportunity');
    expect(text).not.toContain('!asc');
  });

  test('refuse more than 1,000 groups', async () => {
    await api.database.query(
      `INSERT INTO job_boards (name, code) SELECT 'Board', 'many-' || n FROM generate_series(1, 1001) n`,
    );
    const { status, problem } = await api.get('/job_boards/counts?by=code');
    expect([status, problem.errors?.[0]?.code]).toEqual([400, 'too_complex']);
    expect((await api.get('/job_boards/counts?by=name')).json).toEqual([{ values: { name: 'Board' }, count: 1001 }]);
  });

  test('need the scopes of the datapaths', async () => {
    const token = await make.token('applications:read');
    const status = async (path: string): Promise<number> =>
      (await api.get(`/vacancy_applications${path}`, { token })).status;
    for (const [datapath, expected] of [
      ['rating', 200],
      ['opportunity.department', 403],
      ['posting.job_board.name', 403],
    ] as const) {
      expect([datapath, await status(`/counts?by=${datapath}`)]).toEqual([datapath, expected]);
      expect([datapath, await status(`?sort=${datapath}!asc`)]).toEqual([datapath, expected]);
    }
  });
});
